package io.weir.transport.socket;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.frame.FramePool;
import io.weir.transport.runtime.IdleMode;
import io.weir.transport.runtime.MemoryNetwork;
import io.weir.transport.runtime.NetInterface;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.testing.Background;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests {@link Transport} and its sockets: two transports with separate threads on a link in memory. */
class TransportTest {
    private static final int PORT = 4720;
    private static final InetSocketAddress SERVER = new InetSocketAddress(address(2), PORT);
    /** Against hangs: connecting takes as long as the machine needs. */
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private Transport client;
    private Transport server;

    private static InetAddress address(int host) {
        try {
            return InetAddress.getByAddress(new byte[] {10, 0, 0, (byte) host});
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @BeforeEach
    void open() throws IOException {
        TransportConfig config = TransportConfig.builder().build();
        open(config, config);
    }

    private void open(TransportConfig clientConfig, TransportConfig serverConfig) throws IOException {
        FramePool left = new FramePool(2048, 2048, true);
        FramePool right = new FramePool(2048, 2048, true);
        List<NetInterface> pair = MemoryNetwork.pair(left, right, 1500, 10_000_000_000L);
        client = Transport.open(pair.get(0), left, clientConfig);
        server = Transport.open(pair.get(1), right, serverConfig);
    }

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    @Test
    void write_fiveMegabytesEachWay_arriveUnchangedAndEnd() throws Exception {
        byte[] up = randomBytes(1, 5_000_000);
        byte[] down = randomBytes(2, 5_000_000);
        try (WeirServerSocket listener = server.listen(PORT)) {
            CompletableFuture<byte[]> atServer = Background.run(() -> exchange(accept(listener), down));
            WeirSocket socket = client.connect(SERVER, PATIENCE);
            byte[] atClient = exchange(socket, up);
            assertArrayEquals(up, atServer.get());
            assertArrayEquals(down, atClient);
        }
    }

    private static WeirSocket accept(WeirServerSocket listener) {
        try {
            return listener.accept();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static byte[] exchange(WeirSocket socket, byte[] outgoing) {
        CompletableFuture<Void> writer = Background.run(() -> {
            socket.write(ByteBuffer.wrap(outgoing));
            socket.shutdownOutput();
            return null;
        });
        try (InputStream in = socket.inputStream()) {
            byte[] incoming = in.readAllBytes();
            writer.get();
            return incoming;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static byte[] randomBytes(long seed, int count) {
        byte[] bytes = new byte[count];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    @Test
    void connect_nobodyListens_isRefused() {
        ConnectException e = assertThrows(ConnectException.class, () -> client.connect(SERVER, PATIENCE));
        assertTrue(e.getMessage().startsWith("Connection refused"), e.getMessage());
    }

    @Test
    void connect_unknownAddress_hasNoRoute() {
        InetSocketAddress nowhere = new InetSocketAddress(address(9), PORT);
        assertThrows(NoRouteToHostException.class, () -> client.connect(nowhere, PATIENCE));
    }

    @Test
    void listen_samePortTwice_isInUse() throws IOException {
        try (WeirServerSocket first = server.listen(PORT)) {
            assertThrows(BindException.class, () -> server.listen(PORT));
            assertEquals(PORT, first.localPort());
        }
    }

    @Test
    void read_nothingComes_timesOut() throws IOException {
        try (WeirServerSocket listener = server.listen(PORT);
                WeirSocket socket = client.connect(SERVER, PATIENCE)) {
            socket.setReadTimeout(Duration.ofMillis(20));
            assertThrows(SocketTimeoutException.class, () -> socket.read(ByteBuffer.allocate(1)));
            assertEquals(PORT, listener.localPort());
        }
    }

    @Test
    void write_peerReadsNothing_timesOutWhenBuffersAreFull() throws IOException {
        try (WeirServerSocket listener = server.listen(PORT);
                WeirSocket socket = client.connect(SERVER, PATIENCE);
                WeirSocket silent = listener.accept()) {
            socket.setWriteTimeout(Duration.ofMillis(100));
            ByteBuffer bytes = ByteBuffer.allocate(4_000_000);
            assertThrows(SocketTimeoutException.class, () -> socket.write(bytes));
            assertTrue(bytes.position() > 0 && bytes.hasRemaining());
            while (silent.available() == 0) {
                Thread.onSpinWait();
            }
        }
    }

    @Test
    void abort_peerHasUnreadBytes_readsThemThenReset() throws IOException {
        try (WeirServerSocket listener = server.listen(PORT);
                WeirSocket socket = client.connect(SERVER, PATIENCE)) {
            socket.write(ByteBuffer.wrap(new byte[100]));
            WeirSocket accepted = listener.accept();
            ByteBuffer first = ByteBuffer.allocate(10);
            accepted.read(first);
            while (accepted.available() < 90) {
                Thread.onSpinWait();
            }
            socket.abort();
            ByteBuffer rest = ByteBuffer.allocate(200);
            int count = accepted.read(rest);
            assertEquals(90, count);
            SocketException e = assertThrows(SocketException.class, () -> accepted.read(rest));
            assertEquals("Connection reset", e.getMessage());
        }
    }

    @Test
    void read_afterClose_throwsSocketClosed() throws IOException {
        try (WeirServerSocket listener = server.listen(PORT)) {
            WeirSocket socket = client.connect(SERVER, PATIENCE);
            socket.close();
            SocketException e = assertThrows(SocketException.class, () -> socket.read(ByteBuffer.allocate(1)));
            assertEquals("Socket closed", e.getMessage());
            assertEquals(PORT, listener.localPort());
        }
    }

    @Test
    void close_transport_wakesBlockedReader() throws Exception {
        try (WeirServerSocket listener = server.listen(PORT)) {
            WeirSocket socket = client.connect(SERVER, PATIENCE);
            CompletableFuture<Throwable> reader =
                    Background.run(() -> assertThrows(IOException.class, () -> socket.read(ByteBuffer.allocate(1))));
            client.close();
            assertTrue(reader.get() instanceof SocketException);
            assertEquals(PORT, listener.localPort());
        }
    }

    @Test
    void invoker_oneThreadRunsEverything_exchanges() throws IOException {
        close();
        TransportConfig invoker =
                TransportConfig.builder().idleMode(IdleMode.INVOKER).build();
        open(invoker, TransportConfig.DEFAULT);
        try (WeirServerSocket listener = server.listen(PORT);
                WeirSocket socket = client.connect(SERVER, PATIENCE)) {
            WeirSocket accepted = listener.accept();
            CompletableFuture<Void> echo = Background.run(() -> {
                echo(accepted, 1_000);
                return null;
            });
            ByteBuffer message = ByteBuffer.allocate(1_000);
            socket.write(message);
            message.clear();
            while (message.hasRemaining()) {
                socket.read(message);
            }
            echo.join();
        }
    }

    @Test
    void connect_moreThanTheConfigurationAllows_isRefusedWithTheLimit() throws Exception {
        close();
        open(TransportConfig.builder().connections(1, 1).build(), TransportConfig.DEFAULT);
        server.listen(PORT);
        try (WeirSocket first = client.connect(SERVER, PATIENCE)) {
            assertEquals(PORT, first.remoteAddress().getPort());
            SocketException refused = assertThrows(SocketException.class, () -> client.connect(SERVER, PATIENCE));
            assertTrue(refused.getMessage().contains("1 are open"), refused.getMessage());
            assertTrue(refused.getMessage().contains("connectionsMax"), refused.getMessage());
        }
    }

    @Test
    void connect_serverHasNoRoom_isRefusedWithTheRemedy() throws Exception {
        close();
        open(
                TransportConfig.DEFAULT,
                TransportConfig.builder().connections(1, 1).build());
        server.listen(PORT);
        try (WeirSocket first = client.connect(SERVER, PATIENCE)) {
            assertEquals(PORT, first.remoteAddress().getPort());
            ConnectException refused = assertThrows(ConnectException.class, () -> client.connect(SERVER, PATIENCE));
            assertTrue(refused.getMessage().contains("no room"), refused.getMessage());
            assertTrue(refused.getMessage().contains("connectionsMax"), refused.getMessage());
        }
    }

    @Test
    void read_bytesThatCameBeforeAReset_areReadAndThenTheReset() throws Exception {
        try (WeirServerSocket listener = server.listen(PORT);
                WeirSocket socket = client.connect(SERVER, PATIENCE);
                WeirSocket accepted = listener.accept()) {
            accepted.write(ByteBuffer.wrap(randomBytes(1, 1_000)));
            while (socket.available() < 1_000) {
                Thread.onSpinWait();
            }
            accepted.abort();
            while (socket.connection().closeReason() == null) {
                Thread.onSpinWait();
            }
            ByteBuffer target = ByteBuffer.allocate(2_000);
            assertEquals(1_000, socket.read(target));
            target.flip();
            byte[] read = new byte[1_000];
            target.get(read);
            assertArrayEquals(randomBytes(1, 1_000), read);
            target.clear();
            SocketException reset = assertThrows(SocketException.class, () -> socket.read(target));
            assertTrue(reset.getMessage().contains("reset"), reset.getMessage());
        }
    }

    @Test
    void setIdleTimeout_noByteMoves_readEndsWithTheReason() throws Exception {
        try (WeirServerSocket listener = server.listen(PORT);
                WeirSocket socket = client.connect(SERVER, PATIENCE);
                WeirSocket accepted = listener.accept()) {
            accepted.setKeepAlive(true);
            accepted.setUserTimeout(Duration.ofSeconds(1));
            accepted.setIdleTimeout(Duration.ofMillis(20));
            SocketException idle = assertThrows(SocketException.class, () -> accepted.read(ByteBuffer.allocate(1)));
            assertTrue(idle.getMessage().contains("idle time-out"), idle.getMessage());
            SocketException told = assertThrows(SocketException.class, () -> socket.read(ByteBuffer.allocate(1)));
            assertTrue(told.getMessage().contains("timed out"), told.getMessage());
        }
    }

    @Test
    void setUserTimeout_shorterThanARetransmission_isRefusedWithTheLimit() throws Exception {
        server.listen(PORT);
        try (WeirSocket socket = client.connect(SERVER, PATIENCE)) {
            IllegalArgumentException refused =
                    assertThrows(IllegalArgumentException.class, () -> socket.setUserTimeout(Duration.ofMillis(999)));
            assertTrue(refused.getMessage().contains("retransmitNanosMax=1000000000"), refused.getMessage());
        }
    }

    @Test
    void connect_interruptedWhileItWaits_leavesNoConnection() throws Exception {
        close();
        TransportConfig invoker =
                TransportConfig.builder().idleMode(IdleMode.INVOKER).build();
        open(TransportConfig.DEFAULT, invoker);
        CompletableFuture<IOException> failure = new CompletableFuture<>();
        Thread connecting = new Thread(() ->
                failure.complete(assertThrows(InterruptedIOException.class, () -> client.connect(SERVER, PATIENCE))));
        connecting.start();
        while (client.counters().get(CounterId.CONNECTIONS_OPENED) == 0) {
            Thread.onSpinWait();
        }
        connecting.interrupt();
        assertTrue(failure.get().getMessage().contains("interrupted"));
        while (client.counters().get(CounterId.CONNECTIONS_ABORTED) == 0) {
            Thread.onSpinWait();
        }
    }

    @Test
    void connect_interruptedBeforeTheLoopRuns_isNeverMade() throws Exception {
        close();
        TransportConfig invoker =
                TransportConfig.builder().idleMode(IdleMode.INVOKER).build();
        open(invoker, TransportConfig.DEFAULT);
        CompletableFuture<IOException> failure = new CompletableFuture<>();
        Thread connecting = new Thread(() -> {
            Thread.currentThread().interrupt();
            failure.complete(assertThrows(InterruptedIOException.class, () -> client.connect(SERVER, PATIENCE)));
        });
        connecting.start();
        failure.get();
        client.runOnce();
        assertEquals(0, client.counters().get(CounterId.CONNECTIONS_OPENED));
    }

    private static void echo(WeirSocket socket, int count) {
        try {
            ByteBuffer bytes = ByteBuffer.allocate(count);
            while (bytes.hasRemaining()) {
                socket.read(bytes);
            }
            socket.write(bytes.flip());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
