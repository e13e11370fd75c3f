package io.weir.transport.socket;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.host.Connection;
import io.weir.transport.runtime.IdleMode;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.testing.Background;
import io.weir.transport.testing.PassiveHandler;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Plays the public API with what must not be given to it. Each call gives the documented result, or an exception that
 * names the value, the limit and the remedy; afterwards the transports still carry bytes, unless closing them was the
 * matter.
 */
class PublicApiTest {
    private static final int PORT = TwoTransports.PORT;
    private static final int OTHER_PORT = PORT + 7;
    private static final InetSocketAddress SERVER = TwoTransports.SERVER;
    private static final Duration PATIENCE = TwoTransports.PATIENCE;
    private static final Duration HUGE = Duration.ofSeconds(Long.MAX_VALUE);
    private static final Class<IllegalStateException> STATE = IllegalStateException.class;

    static List<Refusals.Refusal> refusals() {
        return Refusals.all();
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void call_whatItMustNotBeGiven_isRefusedAndTheTransportsLive(Refusals.Refusal refusal) throws Exception {
        try (TwoTransports two = new TwoTransports()) {
            Throwable thrown =
                    assertThrows(refusal.thrown(), () -> refusal.call().run(two));
            for (String word : refusal.words()) {
                assertNotNull(thrown.getMessage());
                assertTrue(thrown.getMessage().contains(word), () -> word + " is not in: " + thrown.getMessage());
            }
            assertEquals(null, two.client.loop().failure());
            assertEquals(null, two.server.loop().failure());
            if (!two.client.loop().isClosed()) {
                requireCarries(two);
            }
        }
    }

    private static void requireCarries(TwoTransports two) throws Exception {
        try (WeirServerSocket listener = two.server.listen(OTHER_PORT);
                WeirSocket socket = two.client.connect(new InetSocketAddress("10.0.0.2", OTHER_PORT), PATIENCE);
                WeirSocket accepted = listener.accept()) {
            socket.write(ByteBuffer.wrap(new byte[] {42}));
            assertEquals(42, accepted.inputStream().read());
        }
    }

    // ---- buffers that are unusual, and right

    @Test
    void read_intoAReadOnlyMapping_isRefusedAndTheBytesStay(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("mapped");
        java.nio.file.Files.write(file, new byte[4096]);
        try (TwoTransports two = new TwoTransports();
                FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            ByteBuffer mapped = channel.map(FileChannel.MapMode.READ_ONLY, 0, 4096);
            two.far().write(ByteBuffer.wrap(new byte[] {1, 2, 3}));
            assertThrows(ReadOnlyBufferException.class, () -> two.near().read(mapped));
            assertThrows(ReadOnlyBufferException.class, () -> two.near().tryRead(mapped));
            byte[] bytes = two.near().inputStream().readNBytes(3);
            assertArrayEquals(new byte[] {1, 2, 3}, bytes, "nothing was lost by the refusal");
        }
        assertArrayEquals(new byte[4096], java.nio.file.Files.readAllBytes(file));
    }

    @Test
    void read_intoTheReadOnlyViewOfAnArray_leavesTheArrayAlone() throws Exception {
        try (TwoTransports two = new TwoTransports()) {
            byte[] array = new byte[8];
            two.far().write(ByteBuffer.wrap(new byte[] {1, 2, 3}));
            while (two.near().available() < 3) {
                Thread.onSpinWait();
            }
            assertThrows(ReadOnlyBufferException.class, () -> two.near()
                    .read(ByteBuffer.wrap(array).asReadOnlyBuffer()));
            assertArrayEquals(new byte[8], array);
        }
    }

    @Test
    void write_fromReadOnlySlicedAndDirectBuffers_movesTheirBytes(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("mapped");
        java.nio.file.Files.write(file, new byte[] {0, 1, 2, 3, 4, 5});
        try (TwoTransports two = new TwoTransports();
                FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            byte[] bytes = {0, 1, 2, 3, 4, 5};
            two.near().write(ByteBuffer.wrap(bytes).asReadOnlyBuffer());
            two.near().write(ByteBuffer.wrap(bytes).position(2).slice().asReadOnlyBuffer());
            two.near().write(ByteBuffer.allocateDirect(6).put(bytes).flip().asReadOnlyBuffer());
            two.near().write(channel.map(FileChannel.MapMode.READ_ONLY, 0, 6));
            byte[] read = two.far().inputStream().readNBytes(22);
            assertEquals("[0, 1, 2, 3, 4, 5, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5]", Arrays.toString(read));
        }
    }

    @Test
    void readAndWrite_hugeBuffers_moveWhatThereIs() throws Exception {
        try (TwoTransports two = new TwoTransports()) {
            ByteBuffer huge = ByteBuffer.allocateDirect(64 << 20);
            CompletableFuture<Long> read = Background.run(() -> {
                ByteBuffer target = ByteBuffer.allocate(64 << 20);
                long count = 0;
                for (int bytes = two.far().read(target);
                        bytes >= 0;
                        bytes = two.far().read(target.clear())) {
                    count += bytes;
                }
                return count;
            });
            two.near().write(huge);
            two.near().shutdownOutput();
            assertEquals(64 << 20, read.get());
        }
    }

    // ---- time-outs beyond what a long of nanoseconds holds

    @Test
    void timeouts_huge_countAsForEver() throws Exception {
        try (TwoTransports two = new TwoTransports()) {
            two.listener().setAcceptTimeout(HUGE);
            try (WeirSocket socket = two.client.connect(SERVER, HUGE)) {
                socket.setReadTimeout(HUGE);
                socket.setWriteTimeout(HUGE);
                two.listener().accept().write(ByteBuffer.wrap(new byte[] {7}));
                assertEquals(7, socket.inputStream().read());
                CompletableFuture<Object> done = new CompletableFuture<>();
                two.client.execute(now -> {
                    socket.connection().closeWithin(Long.MAX_VALUE);
                    done.complete("");
                });
                done.get();
                socket.write(ByteBuffer.wrap(new byte[] {7}));
            }
        }
    }

    // ---- twice, and after the end

    @Test
    void close_againAndAgain_doesNothing() throws Exception {
        try (TwoTransports two = new TwoTransports()) {
            WeirSocket socket = two.near();
            socket.close();
            socket.close();
            socket.abort();
            socket.abort();
            two.listener().close();
            two.listener().close();
            two.client.close();
            two.client.close();
            socket.close();
            socket.abort();
            socket.setListener(null);
            two.client.stopListening(PORT);
            two.client.loop().close();
            two.client.loop().helpers().stopSharing();
            assertTrue(socket.isClosed());
            assertEquals(0, two.client.loop().helpers().help());
            assertNotNull(two.client.scheduling());
            assertNotNull(two.client.portInfo());
            assertNotNull(socket.remoteAddress());
            assertDoesNotThrow(() -> socket.unacknowledgedBytes());
        }
    }

    @Test
    void setListener_transportIsClosed_returns() throws Exception {
        try (TwoTransports two = new TwoTransports()) {
            WeirSocket socket = two.near();
            two.client.close();
            socket.setListener(new Silent());
            assertTrue(two.client.loop().isClosed());
        }
    }

    private static final class Silent implements SocketListener {
        @Override
        public void onReadable(WeirSocket socket) {}

        @Override
        public void onWritable(WeirSocket socket) {}
    }

    // ---- from within handlers and tasks

    /** Each call that may wait, where it would have to. */
    private static List<Refusals.Call> waits() {
        return List.of(
                two -> two.near().read(ByteBuffer.allocate(1)),
                two -> two.near().inputStream().read(),
                two -> two.near().write(ByteBuffer.allocate(8 << 20)),
                two -> two.near().outputStream().write(new byte[8 << 20]),
                two -> two.client.connect(SERVER, PATIENCE));
    }

    @Test
    void call_wouldWaitWithinTheLoopsOwnCycle_isRefused() throws Exception {
        for (IdleMode mode : IdleMode.values()) {
            for (Refusals.Call wait : waits()) {
                requireRefusedInACycle(mode, wait);
            }
        }
    }

    private static void requireRefusedInACycle(IdleMode mode, Refusals.Call wait) throws Exception {
        TransportConfig config = TransportConfig.builder().idleMode(mode).build();
        try (TwoTransports two = new TwoTransports(config, TransportConfig.DEFAULT)) {
            two.near();
            CompletableFuture<Throwable> thrown = new CompletableFuture<>();
            two.client.loop().execute(now -> {
                try {
                    wait.run(two);
                    thrown.complete(null);
                } catch (Throwable e) {
                    thrown.complete(e);
                }
            });
            while (mode == IdleMode.INVOKER && !thrown.isDone()) {
                two.client.runOnce();
            }
            Throwable e = thrown.get();
            assertTrue(e instanceof IllegalStateException, mode + ": " + e);
            assertTrue(e.getMessage().contains("would wait for weir-mem0"), e.getMessage());
            assertTrue(e.getMessage().contains("another thread"), e.getMessage());
        }
    }

    @Test
    void accept_withinACycle_isRefusedUnlessAConnectionIsThere() throws Exception {
        try (TwoTransports two = new TwoTransports()) {
            WeirServerSocket listener = two.listener();
            CompletableFuture<Throwable> thrown = new CompletableFuture<>();
            two.server.execute(now -> thrown.complete(assertThrows(STATE, listener::accept)));
            assertTrue(
                    thrown.get().getMessage().startsWith("accept would wait"),
                    thrown.get().getMessage());
        }
    }

    @Test
    void listenAndConnectWithHandlers_withinACycle_work() throws Exception {
        try (TwoTransports two = new TwoTransports()) {
            CompletableFuture<Connection> connected = new CompletableFuture<>();
            two.server.execute(now -> quietly(() -> two.server.listen(PORT, connection -> new PassiveHandler())));
            two.client.execute(now -> quietly(() -> two.client.connect(SERVER, new PassiveHandler() {
                @Override
                public void onConnected(Connection connection) {
                    connected.complete(connection);
                }
            })));
            assertNotNull(connected.get());
        }
    }

    @Test
    void tryConnect_withinACycle_opensWhereTheWayIsKnown() throws Exception {
        try (TwoTransports two = new TwoTransports()) {
            two.server.listen(PORT, connection -> new PassiveHandler());
            CompletableFuture<Connection> connected = new CompletableFuture<>();
            two.client.execute(now -> quietly(() -> assertNotNull(two.client.tryConnect(SERVER, new PassiveHandler() {
                @Override
                public void onConnected(Connection connection) {
                    connected.complete(connection);
                }
            }))));
            assertNotNull(connected.get());
        }
    }

    @Test
    void tryConnect_nobodyKnowsTheWay_givesNullAndKeepsNothing() throws Exception {
        try (TwoTransports two = new TwoTransports()) {
            CompletableFuture<Connection> answer = new CompletableFuture<>();
            InetSocketAddress unknown = new InetSocketAddress("10.255.255.1", PORT);
            two.client.execute(
                    now -> quietly(() -> answer.complete(two.client.tryConnect(unknown, new PassiveHandler()))));
            assertNull(answer.get());
            assertEquals(0, two.client.counters().get(CounterId.CONNECTIONS_OPENED));
        }
    }

    @Test
    void tryConnect_onAnotherThread_isRefused() throws Exception {
        try (TwoTransports two = new TwoTransports()) {
            assertThrows(STATE, () -> two.client.tryConnect(SERVER, new PassiveHandler()));
        }
    }

    private interface Action {
        void run() throws IOException;
    }

    private static void quietly(Action action) {
        try {
            action.run();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void tryReadAndTryWrite_whileAnotherThreadWaits_neitherWaitNorStopTheLoop() throws Exception {
        try (TwoTransports two = new TwoTransports()) {
            WeirSocket socket = two.near();
            CompletableFuture<Integer> reader = Background.run(() -> socket.read(ByteBuffer.allocate(1)));
            CompletableFuture<Object> writer = Background.run(() -> {
                socket.write(ByteBuffer.allocate(16 << 20));
                return "";
            });
            // Until both wait, one for bytes and the other for room.
            CompletableFuture<Object> tried = new CompletableFuture<>();
            for (int i = 0; i < 1_000; i++) {
                two.client.execute(now -> quietly(() -> {
                    socket.tryRead(ByteBuffer.allocate(1));
                    socket.tryWrite(ByteBuffer.allocate(0));
                }));
            }
            two.client.execute(now -> tried.complete(""));
            tried.get();
            assertFalse(reader.isDone());
            two.far().write(ByteBuffer.allocate(1));
            assertEquals(1, reader.get());
            socket.abort();
            assertThrows(Exception.class, writer::get);
        }
    }

    // ---- loops that are invoked

    @Test
    void runOnce_fromWithinACycleOrAnotherThread_isRefused() throws Exception {
        TransportConfig invoker =
                TransportConfig.builder().idleMode(IdleMode.INVOKER).build();
        try (TwoTransports two = new TwoTransports(invoker, TransportConfig.DEFAULT)) {
            List<Throwable> thrown = new ArrayList<>();
            BiConsumer<String, Refusals.Build> note = (what, call) -> {
                try {
                    call.run();
                } catch (Exception e) {
                    thrown.add(e);
                }
            };
            two.client.loop().execute(now -> note.accept("nested", () -> two.client.runOnce()));
            two.client.runOnce();
            Background.run(() -> {
                        note.accept("other", () -> two.client.runOnce());
                        return "";
                    })
                    .get();
            assertEquals(2, thrown.size(), thrown.toString());
            assertTrue(
                    thrown.get(0).getMessage().contains("is in a cycle"),
                    thrown.get(0).getMessage());
            assertTrue(
                    thrown.get(1).getMessage().contains("call adopt()"),
                    thrown.get(1).getMessage());
            two.client.close(Duration.ZERO);
            assertEquals(0, two.client.runOnce());
        }
    }

    // ---- many threads

    @Test
    void everything_fromManyThreadsWhileTheTransportCloses_endsWithAnIOExceptionAtMost() throws Exception {
        for (int round = 0; round < 5; round++) {
            try (TwoTransports two = new TwoTransports()) {
                WeirSocket near = two.near();
                WeirSocket far = two.far();
                List<CompletableFuture<String>> threads = new ArrayList<>();
                List<Refusals.Call> calls = List.of(
                        now -> near.read(ByteBuffer.allocate(64)),
                        now -> near.write(ByteBuffer.allocate(64_000)),
                        now -> near.tryRead(ByteBuffer.allocateDirect(64)),
                        now -> near.tryWrite(ByteBuffer.allocateDirect(64)),
                        now -> far.read(ByteBuffer.allocate(64_000)),
                        now -> far.write(ByteBuffer.allocate(64)),
                        now -> far.available(),
                        now -> two.client.connect(SERVER, PATIENCE).close(),
                        now -> two.listener().accept().close(),
                        now -> two.client.execute(time -> near.unacknowledgedBytes()),
                        now -> two.server.listen(PORT + 1).close());
                for (Refusals.Call call : calls) {
                    threads.add(Background.run(() -> untilItEnds(two, call)));
                }
                two.client.counters();
                threads.add(Background.run(() -> {
                    two.client.close();
                    return "";
                }));
                two.client.close();
                two.server.close();
                for (CompletableFuture<String> thread : threads) {
                    assertNotNull(thread.get());
                }
                assertEquals(null, two.client.loop().failure());
                assertEquals(null, two.server.loop().failure());
            }
        }
    }

    private static String untilItEnds(TwoTransports two, Refusals.Call call) throws Exception {
        while (true) {
            try {
                call.run(two);
            } catch (BindException e) {
                // Connections of the listener before hold the port still.
                continue;
            } catch (IOException | RejectedExecutionException e) {
                return e.toString();
            }
            if (two.client.loop().isClosed() && two.server.loop().isClosed()) {
                return "closed";
            }
        }
    }
}
