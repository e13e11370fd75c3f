package io.weir.bench.sharing;

import io.weir.nic.broker.Broker;
import io.weir.nic.broker.BrokerConfig;
import io.weir.nic.broker.BrokerListener;
import io.weir.nic.broker.PortRights;
import io.weir.transport.runtime.IdleMode;
import io.weir.transport.runtime.PortConfig;
import io.weir.transport.runtime.SchedulingConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The broker's process: {@code INTERFACE SOCKET}; it ends with its standard input. */
final class SharingBroker {
    private SharingBroker() {}

    @SuppressWarnings("SystemOut")
    public static void main(String[] arguments) throws IOException {
        BrokerConfig config = new BrokerConfig(
                arguments[0],
                "afxdp",
                Path.of(arguments[1]),
                BrokerConfig.NO_DESCRIPTOR,
                PortRights.asFromTheKernel(),
                List.of(),
                IdleMode.BACK_OFF,
                BrokerConfig.memoryBytesMaxDefault(),
                BrokerConfig.USER_SHARE_PERCENT_DEFAULT,
                PortConfig.DEFAULT);
        try (Broker broker = Broker.open(config, SchedulingConfig.DEFAULT, new Quiet())) {
            System.out.println("READY " + broker.info().mode());
            while (System.in.read() >= 0) {
                Thread.onSpinWait();
            }
        }
    }

    /** Says nothing. */
    private static final class Quiet implements BrokerListener {
        @Override
        public void onClient(int number, int processId, String user) {}

        @Override
        public void onClientGone(int number, String reason) {}

        @Override
        public void onRefusal(int processId, String user, String sentence) {}

        @Override
        public void onWait(int processId, String user, String sentence) {}
    }
}
