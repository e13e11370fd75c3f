package io.weir.transport.jdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.frame.FramePool;
import io.weir.transport.runtime.MemoryNetwork;
import io.weir.transport.socket.Transport;
import io.weir.transport.socket.TransportConfig;
import io.weir.transport.telemetry.CounterId;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests {@link JdkSocketImpl} towards a host that answers nothing. What it does otherwise is in {@link
 * SocketParityTest}.
 */
class JdkSocketImplTest {
    private static final InetSocketAddress SILENT = new InetSocketAddress("10.0.0.2", 4_720);
    private static final int TIMEOUT_MILLIS = 20;
    private static final int LONG_MILLIS = 5 * 60 * 1_000;

    private Transport transport;
    private Socket socket;

    @BeforeEach
    void open() throws IOException {
        FramePool pool = new FramePool(1_024, 2_048);
        // Nobody opens the other end of the link.
        transport = Transport.open(
                MemoryNetwork.pair(pool, new FramePool(1_024, 2_048), 1_500, 10_000_000_000L)
                        .get(0),
                pool,
                TransportConfig.DEFAULT);
        socket = new WeirSocketFactory(transport).createSocket();
    }

    @AfterEach
    void close() {
        transport.close();
    }

    @Test
    void connect_nobodyAnswers_endsWithItsTimeout() {
        long startNanos = System.nanoTime();
        assertThrows(SocketTimeoutException.class, () -> socket.connect(SILENT, TIMEOUT_MILLIS));
        assertTrue(System.nanoTime() - startNanos >= TIMEOUT_MILLIS * 1_000_000L);
    }

    @Test
    void connect_threadIsInterrupted_endsWithItsTimeoutAndTheThreadIsInterruptedStill() {
        Thread.currentThread().interrupt();
        assertThrows(SocketTimeoutException.class, () -> socket.connect(SILENT, TIMEOUT_MILLIS));
        assertTrue(Thread.interrupted());
    }

    @Test
    void connect_noWayThere_saysSo() {
        assertThrows(NoRouteToHostException.class, () -> socket.connect(new InetSocketAddress("10.9.9.9", 1), 0));
    }

    @Test
    void close_whileConnecting_endsThatAndLeavesTheThreadUninterrupted() throws Exception {
        FutureTask<Boolean> connector = new FutureTask<>(() -> {
            SocketException e = assertThrows(SocketException.class, () -> socket.connect(SILENT, LONG_MILLIS));
            assertTrue(e.getMessage().equals("Socket closed") || e.getMessage().equals("Socket is closed"));
            return Thread.currentThread().isInterrupted();
        });
        new Thread(connector).start();
        while (transport.counters().get(CounterId.CONNECTIONS_OPENED) == 0) {
            Thread.onSpinWait();
        }
        socket.close();
        assertFalse(connector.get());
    }

    @Test
    void accept_transportHasEnded_closesTheListener() throws IOException {
        ServerSocket listener = new WeirServerSocketFactory(transport).createServerSocket(0);
        transport.close();
        assertThrows(SocketException.class, listener::accept);
        assertTrue(listener.isClosed());
    }

    @Test
    void constructor_nameOfATransport_findsIt() throws IOException {
        NamedTransports.register("silent", transport);
        try {
            Socket named = new WeirSocketFactory("silent").createSocket();
            assertThrows(SocketTimeoutException.class, () -> named.connect(SILENT, TIMEOUT_MILLIS));
            assertThrows(IllegalStateException.class, () -> NamedTransports.register("silent", transport));
        } finally {
            assertEquals(transport, NamedTransports.remove("silent"));
        }
        assertThrows(IOException.class, () -> new WeirServerSocketFactory("no-such-name0"));
    }
}
