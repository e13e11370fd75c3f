package io.weir.nic.net;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.nic.NicException;
import io.weir.nic.lab.Lab;
import io.weir.nic.lab.LiveTest;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Tests {@link TcpSender} in a namespace, whose default cannot be what the kernel does not allow to everybody. */
@LiveTest
class TcpSenderLiveTest {
    private static final Path AVAILABLE = Path.of("/proc/sys/net/ipv4/tcp_available_congestion_control");

    private static String chosenIn(NetNamespace namespace, String name) throws NicException {
        try (TcpSender sender = namespace.call(() -> TcpSender.open(InetAddress.getLoopbackAddress(), name))) {
            return sender.congestionControl();
        }
    }

    @Test
    void open_inANamespace_hasEveryCongestionControlOfTheKernel() throws IOException {
        try (Lab lab = Lab.create()) {
            NetNamespace namespace = lab.namespace("tcp");
            for (String name : Files.readString(AVAILABLE).strip().split(" ", -1)) {
                assertEquals(name, chosenIn(namespace, name));
            }
        }
    }
}
