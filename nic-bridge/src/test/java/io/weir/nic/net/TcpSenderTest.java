package io.weir.nic.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.nic.Errno;
import io.weir.nic.NicException;
import io.weir.nic.ffi.NativeMemory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Sends over the loopback interface, with the one congestion control that every kernel has and allows: reno. */
class TcpSenderTest {
    private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

    @Test
    void open_named_hasThisCongestionControl() throws NicException {
        try (TcpSender sender = TcpSender.open(LOOPBACK, "reno")) {
            assertEquals("reno", sender.congestionControl());
        }
    }

    @Test
    void open_unnamed_hasTheDefault() throws IOException {
        String usual = Files.readString(Path.of("/proc/sys/net/ipv4/tcp_congestion_control"));
        try (TcpSender sender = TcpSender.open(LOOPBACK, "")) {
            assertEquals(usual.strip(), sender.congestionControl());
        }
    }

    @Test
    void open_unknown_isRefusedWithThePlaceToLook() {
        NicException e = assertThrows(NicException.class, () -> TcpSender.open(LOOPBACK, "nosuch"));
        assertTrue(e.is(Errno.ENOENT), e.getMessage());
        assertTrue(e.getMessage().contains("congestion control nosuch: ENOENT"), e.getMessage());
        assertTrue(e.getMessage().contains("tcp_available_congestion_control"), e.getMessage());
    }

    @Test
    void send_connected_arrives() throws IOException {
        UnsafeBuffer text = NativeMemory.text("weir");
        try (ServerSocket listener = new ServerSocket(0, 1, LOOPBACK)) {
            try (TcpSender sender = TcpSender.open(LOOPBACK, "reno")) {
                assertTrue(sender.connect(new InetSocketAddress(LOOPBACK, listener.getLocalPort())));
                assertEquals(4, sender.send(text, 4));
            }
            try (Socket accepted = listener.accept()) {
                assertEquals("weir", new String(accepted.getInputStream().readAllBytes(), StandardCharsets.US_ASCII));
            }
        }
    }

    @Test
    void send_peerReadsNothing_takesNoMoreAndReturns() throws IOException {
        UnsafeBuffer chunk = NativeMemory.allocate(1 << 20);
        try (ServerSocket listener = new ServerSocket(0, 1, LOOPBACK);
                TcpSender sender = TcpSender.open(LOOPBACK, "reno")) {
            assertTrue(sender.connect(new InetSocketAddress(LOOPBACK, listener.getLocalPort())));
            int taken = 1;
            for (int i = 0; i < 100 && taken > 0; i++) {
                taken = sender.send(chunk, chunk.capacity());
            }
            assertEquals(0, taken);
        }
    }

    @Test
    void connect_nobodyListens_isRefused() throws IOException {
        ServerSocket gone = new ServerSocket(0, 1, LOOPBACK);
        gone.close();
        try (TcpSender sender = TcpSender.open(LOOPBACK, "reno")) {
            NicException e = assertThrows(
                    NicException.class, () -> sender.connect(new InetSocketAddress(LOOPBACK, gone.getLocalPort())));
            assertTrue(e.is(Errno.ECONNREFUSED), e.getMessage());
        }
    }
}
