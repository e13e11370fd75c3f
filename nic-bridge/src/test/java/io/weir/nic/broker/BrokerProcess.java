package io.weir.nic.broker;

import io.weir.nic.ffi.Libc;
import io.weir.transport.runtime.IdleMode;
import io.weir.transport.runtime.PortConfig;
import io.weir.transport.runtime.SchedulingConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** A process that is a broker until it is ended: {@code interface socket [rights]}. */
public final class BrokerProcess {
    /** What it prints when it serves. */
    static final String SERVING = "SERVING";

    static final String WAITS = "WAITS";

    private BrokerProcess() {}

    @SuppressWarnings("SystemOut")
    public static void main(String[] arguments) throws IOException, InterruptedException {
        PortRights rights = arguments.length < 3
                ? PortRights.asFromTheKernel()
                : PortRights.read(Path.of(arguments[2]), Libc::userNumber);
        BrokerConfig config = new BrokerConfig(
                arguments[0],
                "afxdp",
                Path.of(arguments[1]),
                BrokerConfig.NO_DESCRIPTOR,
                rights,
                List.of(),
                IdleMode.BACK_OFF,
                BrokerConfig.memoryBytesMaxDefault(),
                BrokerConfig.USER_SHARE_PERCENT_DEFAULT,
                PortConfig.DEFAULT);
        try (Broker broker = Broker.open(config, SchedulingConfig.DEFAULT, new Printer())) {
            System.out.println(SERVING + " " + broker.info().mode());
            new CountDownLatch(1).await();
        }
    }

    /** Prints who comes and goes. */
    @SuppressWarnings("SystemOut")
    private static final class Printer implements BrokerListener {
        @Override
        public void onClient(int number, int processId, String user) {
            System.out.println("CLIENT " + number + " " + user);
        }

        @Override
        public void onClientGone(int number, String reason) {
            System.out.println("GONE " + number);
        }

        @Override
        public void onRefusal(int processId, String user, String sentence) {
            System.out.println("REFUSED " + sentence);
        }

        @Override
        public void onWait(int processId, String user, String sentence) {
            System.out.println(WAITS + " " + user + " " + sentence);
        }
    }
}
