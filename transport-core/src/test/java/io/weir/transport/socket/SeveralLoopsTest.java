package io.weir.transport.socket;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.host.Connection;
import io.weir.transport.host.HostStack;
import io.weir.transport.node.ConfigException;
import io.weir.transport.runtime.Backend;
import io.weir.transport.runtime.EventLoop;
import io.weir.transport.runtime.IdleMode;
import io.weir.transport.runtime.MemoryNetwork;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.testing.Background;
import io.weir.transport.testing.PassiveHandler;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests transports with several loops: on links in memory, a link for each queue. */
class SeveralLoopsTest {
    private static final int PORT = 4720;
    private static final InetSocketAddress SERVER = new InetSocketAddress("10.0.0.2", PORT);
    private static final InetSocketAddress CLIENT = new InetSocketAddress("10.0.0.1", PORT);
    /** Against hangs: everything takes as long as the machine needs. */
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private List<List<Backend.Opened>> queues;
    private Transport client;
    private Transport server;

    private void open(int queueCount, int queueShift) throws IOException {
        open(queueCount, queueShift, TransportConfig.DEFAULT);
    }

    private void open(int queueCount, int queueShift, TransportConfig config) throws IOException {
        queues = MemoryNetwork.pairWithQueues(queueCount, queueShift, 2048, 10_000_000_000L);
        client = Transport.open(queues.get(0), config);
        server = Transport.open(queues.get(1), config);
    }

    @AfterEach
    void close() {
        if (client != null) {
            client.close(Duration.ZERO);
            server.close(Duration.ZERO);
            for (Backend.Opened queue : queues.stream().flatMap(List::stream).toList()) {
                assertEquals(queue.pool().frameCount(), queue.pool().available(), "frames left");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void connect_manyBothWays_bothLoopsCarryThemAndNothingIsHandedOver(int queueCount) throws Exception {
        open(queueCount, 0);
        exchangeMany(client, server, SERVER, 8);
        exchangeMany(server, client, CLIENT, 8);
        for (HostStack stack : client.hostStacks()) {
            assertTrue(stack.counters().get(CounterId.DATA_FRAMES_RECEIVED) > 0, "a loop that carried nothing");
        }
        assertEquals(0, client.counters().get(CounterId.FRAMES_HANDED_OVER));
        assertEquals(0, server.counters().get(CounterId.FRAMES_HANDED_OVER));
    }

    @Test
    void connect_deviceSteersOtherwise_framesAreHandedOver() throws Exception {
        open(2, 1);
        exchangeMany(client, server, SERVER, 4);
        assertTrue(client.counters().get(CounterId.FRAMES_HANDED_OVER) > 0);
        assertTrue(server.counters().get(CounterId.FRAMES_HANDED_OVER) > 0);
        assertEquals(0, server.counters().get(CounterId.DROP_TAG));
    }

    @Test
    void connect_loopsTakeTurns() throws Exception {
        open(2, 0);
        try (WeirServerSocket listener = server.listen(PORT)) {
            List<WeirSocket> sockets = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                sockets.add(client.connect(SERVER, PATIENCE));
                listener.accept();
            }
            assertEquals(List.of(3L, 3L), countsOf(client, CounterId.CONNECTIONS_OPENED));
            assertEquals(List.of(3L, 3L), countsOf(server, CounterId.CONNECTIONS_OPENED));
            assertEquals(6, server.counters().get(CounterId.CONNECTIONS_OPENED));
            sockets.forEach(WeirSocket::abort);
        }
    }

    @Test
    void connect_fromAChosenPort_isOfTheLoopThatTheHashSays() throws Exception {
        open(2, 0);
        try (WeirServerSocket listener = server.listen(PORT)) {
            for (int port = 50_000; port < 50_008; port++) {
                Connection connection = client.connect(SERVER, port, new PassiveHandler());
                listener.accept();
                assertEquals(port, connection.path().localPort());
            }
        }
        assertTrue(countsOf(client, CounterId.CONNECTIONS_OPENED).stream().allMatch(count -> count > 0));
        assertEquals(0, client.counters().get(CounterId.FRAMES_HANDED_OVER));
    }

    private static LocalPort bound(Transport transport, int port) throws IOException {
        return transport.bind(new InetSocketAddress(port));
    }

    @Test
    void connect_toACertainLoop_belongsToIt() throws Exception {
        open(2, 0);
        server.listen(PORT, connection -> new PassiveHandler());
        for (int i = 0; i < 2; i++) {
            EventLoop loop = client.loops().get(i);
            HostStack host = client.hostStacks().get(i);
            assertSame(
                    host,
                    client.connect(loop, SERVER, null, new PassiveHandler()).host());
            int otherPort = 0;
            for (int port = 50_000 + 100 * i; port < 50_016 + 100 * i; port++) {
                try {
                    assertSame(
                            host,
                            client.connect(loop, SERVER, bound(client, port), new PassiveHandler())
                                    .host());
                } catch (BindException e) {
                    assertTrue(e.getMessage().contains("localPort=" + port + " makes"), e.getMessage());
                    otherPort = port;
                }
            }
            assertTrue(otherPort > 0, "each port would be of this loop");
            // The refused one is free for the loop that may have it.
            client.connect(client.loops().get(1 - i), SERVER, bound(client, otherPort), new PassiveHandler());
        }
        assertThrows(
                IllegalArgumentException.class,
                () -> client.connect(server.loop(), SERVER, null, new PassiveHandler()));
    }

    @Test
    void connect_withinAHandler_belongsToTheSameLoop() throws Exception {
        open(2, 0);
        try (WeirServerSocket listener = server.listen(PORT)) {
            for (EventLoop loop : client.loops()) {
                CompletableFuture<HostStack> made = new CompletableFuture<>();
                loop.execute(now -> {
                    try {
                        made.complete(
                                client.connect(SERVER, new PassiveHandler()).host());
                    } catch (IOException e) {
                        made.completeExceptionally(e);
                    }
                });
                assertSame(client.hostStacks().get(client.loops().indexOf(loop)), made.get());
                listener.accept();
            }
        }
    }

    @Test
    void connect_toAnAddressOfItsOwn_staysInTheProcess() throws Exception {
        open(2, 0);
        exchangeMany(server, server, SERVER, 4);
        exchangeMany(client, client, new InetSocketAddress(InetAddress.getLoopbackAddress(), PORT), 4);
        assertTrue(countsOf(server, CounterId.CONNECTIONS_OPENED).stream().allMatch(count -> count > 0));
    }

    @Test
    void listen_withinATask_listensOnEveryLoop() throws Exception {
        open(2, 0);
        CompletableFuture<Void> isDone = new CompletableFuture<>();
        server.execute(now -> {
            try {
                server.listen(PORT, connection -> new PassiveHandler());
                isDone.complete(null);
            } catch (IOException e) {
                isDone.completeExceptionally(e);
            }
        });
        isDone.get();
        // The other loop listens when it has run the cycle in which it was asked.
        for (EventLoop loop : server.loops()) {
            CompletableFuture<Void> cycle = new CompletableFuture<>();
            loop.execute(now -> cycle.complete(null));
            cycle.get();
        }
        for (int i = 0; i < 4; i++) {
            client.connect(SERVER, PATIENCE).abort();
        }
        server.stopListening(PORT);
    }

    @Test
    void execute_forAConnection_runsOnItsLoop() throws Exception {
        open(2, 0);
        try (WeirServerSocket listener = server.listen(PORT)) {
            for (int i = 0; i < 4; i++) {
                Connection connection = client.connect(SERVER, new PassiveHandler());
                listener.accept();
                CompletableFuture<Boolean> isThere = new CompletableFuture<>();
                client.execute(connection, now -> {
                    int index = client.hostStacks().indexOf(connection.host());
                    isThere.complete(client.loops().get(index).isInCycle());
                });
                assertTrue(isThere.get());
                assertThrows(IllegalArgumentException.class, () -> server.execute(connection, now -> {}));
            }
        }
    }

    @Test
    void fault_ofOneLoop_endsTheTransport() throws Exception {
        open(2, 0);
        try (WeirServerSocket listener = server.listen(PORT)) {
            List<WeirSocket> sockets = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                sockets.add(client.connect(SERVER, PATIENCE));
                listener.accept();
            }
            client.loops().get(1).execute(now -> {
                throw new OutOfMemoryError("a test");
            });
            for (WeirSocket socket : sockets) {
                SocketException end = assertThrows(SocketException.class, () -> socket.read(ByteBuffer.allocate(1)));
                assertTrue(end.getMessage().contains("a test"), end.getMessage());
            }
            assertThrows(SocketException.class, () -> client.connect(SERVER, PATIENCE));
            for (EventLoop loop : client.loops()) {
                assertTrue(loop.awaitEnd(PATIENCE.toNanos()));
            }
        }
    }

    @Test
    void close_underTraffic_deliversWhatWasWritten() throws Exception {
        open(2, 0);
        try (WeirServerSocket listener = server.listen(PORT)) {
            byte[] sent = bytes(1, 300_000);
            List<CompletableFuture<byte[]>> received = new ArrayList<>();
            List<WeirSocket> sockets = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                WeirSocket socket = client.connect(SERVER, PATIENCE);
                WeirSocket accepted = listener.accept();
                received.add(Background.run(() -> accepted.inputStream().readAllBytes()));
                sockets.add(socket);
            }
            for (WeirSocket socket : sockets) {
                socket.write(ByteBuffer.wrap(sent));
                socket.shutdownOutput();
            }
            client.close();
            for (CompletableFuture<byte[]> bytes : received) {
                assertArrayEquals(sent, bytes.get());
            }
        }
    }

    @Test
    void open_limits_areSharedOut() throws Exception {
        open(2, 0, TransportConfig.builder().connections(100, 10).build());
        assertEquals(50, server.hostConfig().connectionsMax());
        assertEquals(5, server.hostConfig().backlogMax());
        long memoryBytes = server.hostStacks().stream()
                .mapToLong(stack -> stack.config().streams().memoryBytesMax())
                .sum();
        assertTrue(memoryBytes <= TransportConfig.DEFAULT.streams().memoryBytesMax());
        assertEquals(
                TransportConfig.DEFAULT.peers().connectionsMax() / 2,
                server.hostConfig().peers().connectionsMax());
    }

    @Test
    void open_moreQueuesThanLoopsMayBe_isRefused() {
        assertThrows(ConfigException.class, () -> TransportConfig.queues(65));
    }

    private void openInvoked(int queueShift) throws IOException {
        queues = MemoryNetwork.pairWithQueues(2, queueShift, 2048, 10_000_000_000L);
        client = Transport.open(
                queues.get(0),
                TransportConfig.builder().idleMode(IdleMode.INVOKER).build());
        server = Transport.open(queues.get(1), TransportConfig.DEFAULT);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void invoker_aThreadForEachLoop_connectionsBelongToTheThreadThatOpensThem(int queueShift) throws Exception {
        openInvoked(queueShift);
        server.listen(PORT, connection -> new Echo());
        // A thread goes on until both have their answer: the other one's frames may come to its loop.
        CountDownLatch unanswered = new CountDownLatch(2);
        List<CompletableFuture<Void>> threads = new ArrayList<>();
        for (EventLoop loop : client.loops()) {
            threads.add(Background.run(() -> {
                loop.adopt();
                Asker asker = new Asker(unanswered);
                Connection tried = client.tryConnect(SERVER, asker);
                HostStack own = client.hostStacks().get(client.loops().indexOf(loop));
                assertSame(own, tried.host());
                assertSame(own, client.connect(SERVER, new PassiveHandler()).host());
                while (unanswered.getCount() > 0) {
                    loop.runOnceAndIdle(1_000_000);
                }
                assertEquals(Asker.QUESTION, asker.answer);
                return null;
            }));
        }
        for (CompletableFuture<Void> thread : threads) {
            thread.get();
        }
        client.loops().forEach(EventLoop::adopt);
    }

    @Test
    void invoker_oneThreadForAll_runsEveryLoop() throws Exception {
        openInvoked(1);
        server.listen(PORT, connection -> new Echo());
        CountDownLatch unanswered = new CountDownLatch(1);
        Asker asker = new Asker(unanswered);
        client.connect(SERVER, asker);
        while (unanswered.getCount() > 0) {
            client.runOnce();
        }
        assertEquals(Asker.QUESTION, asker.answer);
        assertTrue(client.counters().get(CounterId.FRAMES_HANDED_OVER) > 0, "all came to the first loop");
    }

    /** Answers with what came. */
    private static final class Echo extends PassiveHandler {
        @Override
        public int onData(Connection connection, DirectBuffer buffer, int index, int length) {
            return connection.write(buffer, index, length);
        }
    }

    /** Sends a number once, and notes what comes back. */
    private static final class Asker extends PassiveHandler {
        static final long QUESTION = 0x0102_0304_0506_0708L;

        private final CountDownLatch unanswered;
        /** Written by the connection's thread. */
        private long answer;

        Asker(CountDownLatch unanswered) {
            this.unanswered = unanswered;
        }

        @Override
        public void onConnected(Connection connection) {
            UnsafeBuffer question = new UnsafeBuffer(new byte[Long.BYTES]);
            question.putLong(0, QUESTION);
            connection.write(question, 0, Long.BYTES);
        }

        @Override
        public int onData(Connection connection, DirectBuffer buffer, int index, int length) {
            if (length < Long.BYTES) {
                return 0;
            }
            answer = buffer.getLong(index);
            unanswered.countDown();
            return length;
        }
    }

    private static List<Long> countsOf(Transport transport, CounterId id) {
        return transport.hostStacks().stream()
                .map(stack -> stack.counters().get(id))
                .toList();
    }

    /** As many connections at once, each with its own bytes in both directions. */
    private static void exchangeMany(Transport from, Transport to, InetSocketAddress address, int count)
            throws Exception {
        try (WeirServerSocket listener = to.listen(address.getPort())) {
            List<CompletableFuture<Void>> ends = IntStream.range(0, count)
                    .mapToObj(i -> Background.run(() -> {
                        try (WeirSocket socket = from.connect(address, PATIENCE)) {
                            echo(socket, bytes(i, 200_000));
                        }
                        return (Void) null;
                    }))
                    .toList();
            List<CompletableFuture<Void>> echoes = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                WeirSocket accepted = listener.accept();
                echoes.add(Background.run(() -> {
                    try (accepted) {
                        accepted.inputStream().transferTo(accepted.outputStream());
                        accepted.shutdownOutput();
                    }
                    return null;
                }));
            }
            for (CompletableFuture<Void> end : echoes) {
                end.get();
            }
            for (CompletableFuture<Void> end : ends) {
                end.get();
            }
        }
    }

    private static void echo(WeirSocket socket, byte[] sent) throws Exception {
        CompletableFuture<byte[]> received =
                Background.run(() -> socket.inputStream().readAllBytes());
        socket.write(ByteBuffer.wrap(sent));
        socket.shutdownOutput();
        assertArrayEquals(sent, received.get());
    }

    private static byte[] bytes(int seed, int count) {
        byte[] bytes = new byte[count];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }
}
