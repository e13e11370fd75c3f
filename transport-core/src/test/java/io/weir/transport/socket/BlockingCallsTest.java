package io.weir.transport.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.frame.FramePool;
import io.weir.transport.node.ConfigException;
import io.weir.transport.runtime.IdleMode;
import io.weir.transport.runtime.MemoryNetwork;
import io.weir.transport.runtime.NetInterface;
import io.weir.transport.testing.Background;
import io.weir.transport.testing.Document;
import io.weir.transport.testing.PassiveHandler;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests what ends each blocking call of the public API, one by one: its time-out in virtual time, the conditions with
 * threads. The table of docs/EMBEDDING.md names these tests.
 */
class BlockingCallsTest {
    private static final int PORT = TwoTransports.PORT;
    private static final long MILLISECOND = VirtualPair.MILLISECOND;
    private static final long SECOND = 1_000 * MILLISECOND;
    /** How much later than it is due a time-out may be seen: a step of the clock. */
    private static final long STEP_NANOS = 2 * MILLISECOND;

    /** Runs what must take so long in virtual time, and throw this. */
    private static <T extends Throwable> T requireEndsAfter(
            VirtualPair two, long nanos, Class<T> thrown, Executable call) {
        long startNanos = two.nowNanos();
        T failure = assertThrows(thrown, call);
        long tookNanos = two.nowNanos() - startNanos;
        assertTrue(tookNanos >= nanos && tookNanos <= nanos + STEP_NANOS, "after " + tookNanos + " ns: " + failure);
        return failure;
    }

    // ---- time-outs, in virtual time

    @Test
    void connect_nobodyAnswers_endsWithItsTimeout() throws Exception {
        try (VirtualPair two = new VirtualPair()) {
            two.stopServer();
            requireEndsAfter(
                    two,
                    300 * MILLISECOND,
                    SocketTimeoutException.class,
                    () -> two.client.connect(TwoTransports.SERVER, Duration.ofMillis(300)));
        }
    }

    @Test
    void connect_nobodyAnswersWithoutATimeout_endsWithTheUserTimeout() throws Exception {
        try (VirtualPair two = new VirtualPair()) {
            two.stopServer();
            ConnectException e = requireEndsAfter(
                    two,
                    10 * SECOND,
                    ConnectException.class,
                    () -> two.client.connect(TwoTransports.SERVER, Duration.ZERO));
            assertTrue(e.getMessage().contains("did not answer"), e.getMessage());
        }
    }

    @Test
    void read_nothingComes_endsWithItsTimeout() throws Exception {
        try (VirtualPair two = new VirtualPair();
                WeirServerSocket listener = two.server.listen(PORT);
                WeirSocket socket = two.client.connect(TwoTransports.SERVER, Duration.ZERO)) {
            assertEquals(PORT, listener.localPort());
            socket.setReadTimeout(Duration.ofMillis(20));
            requireEndsAfter(
                    two, 20 * MILLISECOND, SocketTimeoutException.class, () -> socket.read(ByteBuffer.allocate(1)));
            requireEndsAfter(two, 20 * MILLISECOND, SocketTimeoutException.class, () -> socket.inputStream()
                    .read());
            socket.setReadTimeout(Duration.ofSeconds(40));
            requireEndsAfter(two, 40 * SECOND, SocketTimeoutException.class, () -> socket.read(ByteBuffer.allocate(1)));
            socket.abort();
        }
    }

    @Test
    void write_peerTakesNothing_endsWithItsTimeout() throws Exception {
        try (VirtualPair two = new VirtualPair();
                WeirServerSocket listener = two.server.listen(PORT);
                WeirSocket socket = two.client.connect(TwoTransports.SERVER, Duration.ZERO)) {
            assertEquals(PORT, listener.localPort());
            socket.setWriteTimeout(Duration.ofMillis(200));
            ByteBuffer bytes = ByteBuffer.allocate(16 << 20);
            assertThrows(SocketTimeoutException.class, () -> socket.write(bytes));
            assertTrue(bytes.position() > 0 && bytes.hasRemaining());
            requireEndsAfter(two, 200 * MILLISECOND, SocketTimeoutException.class, () -> socket.outputStream()
                    .write(new byte[1 << 20]));
            socket.abort();
        }
    }

    @Test
    void write_peerIsGone_endsWithTheUserTimeout() throws Exception {
        try (VirtualPair two = new VirtualPair();
                WeirServerSocket listener = two.server.listen(PORT);
                WeirSocket socket = two.client.connect(TwoTransports.SERVER, Duration.ZERO)) {
            assertEquals(PORT, listener.localPort());
            two.stopServer();
            SocketException e = assertThrows(SocketException.class, () -> socket.write(ByteBuffer.allocate(16 << 20)));
            assertTrue(e.getMessage().contains("nothing came from the peer"), e.getMessage());
        }
    }

    @Test
    void accept_nobodyComes_endsWithItsTimeout() throws Exception {
        try (VirtualPair two = new VirtualPair();
                WeirServerSocket listener = two.client.listen(PORT)) {
            listener.setAcceptTimeout(Duration.ofMillis(30));
            requireEndsAfter(two, 30 * MILLISECOND, SocketTimeoutException.class, listener::accept);
        }
    }

    @Test
    void close_peerIsGone_endsWithItsDrainTime() throws Exception {
        try (VirtualPair two = new VirtualPair();
                WeirServerSocket listener = two.server.listen(PORT)) {
            assertEquals(PORT, listener.localPort());
            WeirSocket socket = two.client.connect(TwoTransports.SERVER, Duration.ZERO);
            two.stopServer();
            socket.write(ByteBuffer.allocate(1));
            long startNanos = two.nowNanos();
            two.client.close(Duration.ofSeconds(3));
            long tookNanos = two.nowNanos() - startNanos;
            assertTrue(tookNanos >= 3 * SECOND && tookNanos <= 3 * SECOND + STEP_NANOS, tookNanos + " ns");
            assertTrue(two.client.loop().awaitEnd(0));
        }
    }

    @Test
    void listen_nobodyRunsTheLoop_endsAfterFiveSeconds() throws Exception {
        // The clock of a thread that is not the loop's: each look takes a second.
        long[] nanos = {0};
        FramePool pool = new FramePool(2048, 2048, true);
        List<NetInterface> pair = MemoryNetwork.pair(pool, new FramePool(2048, 2048, true), 1500, 10_000_000_000L);
        TransportConfig invoker =
                TransportConfig.builder().idleMode(IdleMode.INVOKER).build();
        try (Transport transport = Transport.open(pair.get(0), pool, invoker, () -> {
            synchronized (nanos) {
                nanos[0] += SECOND;
                return nanos[0];
            }
        })) {
            CompletableFuture<SocketException> refused =
                    Background.run(() -> assertThrows(SocketException.class, () -> transport.listen(PORT)));
            assertTrue(
                    refused.get().getMessage().contains("did not answer within 5 s"),
                    refused.get().getMessage());
            CompletableFuture<SocketException> connecting = Background.run(() -> assertThrows(
                    SocketException.class, () -> transport.connect(TwoTransports.SERVER, new PassiveHandler())));
            assertNotNull(connecting.get());
            // Resolving and calling look at the clock a few times: three seconds of the caller's four at most.
            CompletableFuture<SocketTimeoutException> timed = Background.run(() -> assertThrows(
                    SocketTimeoutException.class,
                    () -> transport.connect(TwoTransports.SERVER, Duration.ofSeconds(4))));
            assertTrue(
                    timed.get().getMessage().contains("loop did not answer"),
                    timed.get().getMessage());
            assertThrows(java.net.BindException.class, () -> {
                pair.get(0).claimPort(PORT);
                pair.get(0).claimPort(PORT);
            });
        }
    }

    @Test
    void runOnceAndIdle_nothingToDo_sleepsForHalfASecondAtMost() throws Exception {
        try (VirtualPair two = new VirtualPair()) {
            for (int i = 0; i < 1_000; i++) {
                long startNanos = two.nowNanos();
                two.client.loop().runOnceAndIdle();
                assertTrue(two.nowNanos() - startNanos <= 500 * MILLISECOND);
            }
        }
    }

    @Test
    void open_withAClockAndAThreadOfItsOwn_isRefused() {
        FramePool pool = new FramePool(2048, 2048, true);
        NetInterface any = MemoryNetwork.pair(pool, new FramePool(2048, 2048, true), 1500, 1_000_000_000L)
                .get(0);
        ConfigException e =
                assertThrows(ConfigException.class, () -> Transport.open(any, pool, TransportConfig.DEFAULT, () -> 0L));
        assertTrue(e.getMessage().contains("BACK_OFF"), e.getMessage());
    }

    @Test
    void execute_queueIsFull_endsAfterFiveSeconds() throws Exception {
        TransportConfig invoker =
                TransportConfig.builder().idleMode(IdleMode.INVOKER).build();
        try (TwoTransports two = new TwoTransports(invoker, TransportConfig.DEFAULT)) {
            CompletableFuture<RejectedExecutionException> refused =
                    Background.run(() -> assertThrows(RejectedExecutionException.class, () -> {
                        for (int i = 0; i <= 65_536; i++) {
                            two.client.execute(now -> {});
                        }
                    }));
            assertTrue(
                    refused.get().getMessage().contains("65536 tasks"),
                    refused.get().getMessage());
        }
    }

    // ---- conditions that end a call without a time-out

    /** What ends a wait. */
    private enum End {
        PEER_RESETS(SocketException.class, "Connection reset"),
        CLOSED_HERE(SocketException.class, "Socket closed"),
        ABORTED_HERE(SocketException.class, "Socket closed"),
        INTERRUPTED(InterruptedIOException.class, "interrupted"),
        TRANSPORT_CLOSES(SocketException.class, "Transport closed"),
        TRANSPORT_FAILS(SocketException.class, "ended by a fault");

        private final Class<? extends IOException> thrown;
        private final String words;

        End(Class<? extends IOException> thrown, String words) {
            this.thrown = thrown;
            this.words = words;
        }

        void bringAbout(TwoTransports two, Thread waiting) throws IOException {
            switch (this) {
                case PEER_RESETS -> two.far().abort();
                case CLOSED_HERE -> two.near().close();
                case ABORTED_HERE -> two.near().abort();
                case INTERRUPTED -> waiting.interrupt();
                case TRANSPORT_CLOSES -> two.client.close(Duration.ZERO);
                case TRANSPORT_FAILS ->
                    two.client.execute(now -> {
                        throw new OutOfMemoryError("planted");
                    });
            }
        }
    }

    private interface Wait {
        void run() throws Exception;
    }

    /** Several threads wait, one of them for the call and the others for their turn; all must end. */
    private static void requireAllEnd(TwoTransports two, End end, int threads, Wait wait) throws Exception {
        List<CompletableFuture<IOException>> failures = new ArrayList<>();
        List<Thread> waiting = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            CompletableFuture<Thread> started = new CompletableFuture<>();
            failures.add(Background.run(() -> {
                started.complete(Thread.currentThread());
                return assertThrows(end.thrown, wait::run);
            }));
            waiting.add(started.get());
        }
        for (Thread thread : waiting) {
            end.bringAbout(two, thread);
        }
        for (CompletableFuture<IOException> failure : failures) {
            assertTrue(
                    failure.get().getMessage().contains(end.words),
                    failure.get().toString());
        }
    }

    @ParameterizedTest
    @EnumSource(End.class)
    void read_withoutATimeout_endsWith(End end) throws Exception {
        try (TwoTransports two = new TwoTransports()) {
            WeirSocket socket = two.near();
            requireAllEnd(two, end, end == End.TRANSPORT_FAILS ? 1 : 3, () -> socket.read(ByteBuffer.allocate(1)));
        }
    }

    @ParameterizedTest
    @EnumSource(End.class)
    void write_withoutATimeout_endsWith(End end) throws Exception {
        try (TwoTransports two = new TwoTransports()) {
            WeirSocket socket = two.near();
            requireAllEnd(
                    two, end, end == End.TRANSPORT_FAILS ? 1 : 3, () -> socket.write(ByteBuffer.allocate(64 << 20)));
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = End.class,
            names = {"INTERRUPTED", "TRANSPORT_CLOSES", "TRANSPORT_FAILS"})
    void accept_withoutATimeout_endsWith(End end) throws Exception {
        try (TwoTransports two = new TwoTransports()) {
            WeirServerSocket listener = two.client.listen(PORT + 1);
            requireAllEnd(two, end, end == End.TRANSPORT_FAILS ? 1 : 3, listener::accept);
        }
    }

    @Test
    void accept_listenerIsClosed_ends() throws Exception {
        try (TwoTransports two = new TwoTransports()) {
            WeirServerSocket listener = two.listener();
            List<CompletableFuture<SocketException>> waiting = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                waiting.add(Background.run(() -> assertThrows(SocketException.class, listener::accept)));
            }
            listener.close();
            for (CompletableFuture<SocketException> failure : waiting) {
                assertEquals("Socket closed", failure.get().getMessage());
            }
        }
    }

    @Test
    void read_anotherThreadReads_endsWithItsOwnTimeout() throws Exception {
        try (TwoTransports two = new TwoTransports()) {
            WeirSocket socket = two.near();
            CompletableFuture<Integer> first = Background.run(() -> socket.read(ByteBuffer.allocate(1)));
            socket.setReadTimeout(Duration.ofMillis(20));
            assertThrows(SocketTimeoutException.class, () -> socket.read(ByteBuffer.allocate(1)));
            two.far().write(ByteBuffer.allocate(1));
            first.handle((count, failure) -> "").get();
        }
    }

    @Test
    void read_invokersThreadWhileAnotherReads_runsTheLoopForBoth() throws Exception {
        TransportConfig invoker =
                TransportConfig.builder().idleMode(IdleMode.INVOKER).build();
        try (TwoTransports two = new TwoTransports(invoker, TransportConfig.DEFAULT)) {
            WeirSocket socket = two.near();
            CompletableFuture<Integer> other = Background.run(() -> socket.read(ByteBuffer.allocate(1)));
            two.far().write(ByteBuffer.allocate(2));
            assertEquals(1, socket.read(ByteBuffer.allocate(1)));
            assertEquals(1, other.get());
        }
    }

    @Test
    void setListener_aCycleGoesOn_endsWithIt() throws Exception {
        try (TwoTransports two = new TwoTransports()) {
            WeirSocket socket = two.near();
            CompletableFuture<Object> begun = new CompletableFuture<>();
            CompletableFuture<Object> mayEnd = new CompletableFuture<>();
            two.client.execute(now -> {
                begun.complete("");
                mayEnd.join();
            });
            begun.get();
            CompletableFuture<Object> set = Background.run(() -> {
                socket.setListener(new SocketListener() {
                    @Override
                    public void onReadable(WeirSocket readable) {}

                    @Override
                    public void onWritable(WeirSocket writable) {}
                });
                return "";
            });
            mayEnd.complete("");
            assertEquals("", set.get());
        }
    }

    @Test
    void scheduling_loopHasBegun_answers() throws Exception {
        try (TwoTransports two = new TwoTransports()) {
            assertNotNull(two.client.scheduling());
        }
    }

    // ---- the document

    private static final Pattern ROW = Pattern.compile("(?m)^\\| (`[^|]+) \\| [^|]+ \\| ([^|]+) \\|$");
    private static final Pattern TEST = Pattern.compile("`(\\w+_\\w+)`");

    @Test
    void document_tableOfBlockingCalls_namesTestsOfThisClassForEachAndAllOfThem() {
        String document = Document.read("docs/EMBEDDING.md");
        String section = document.substring(document.indexOf("## Calls that wait"));
        Set<String> methods = Arrays.stream(BlockingCallsTest.class.getDeclaredMethods())
                .map(method -> method.getName())
                .filter(name -> name.contains("_") && !name.startsWith("lambda") && !name.startsWith("document_"))
                .filter(name -> !name.startsWith("open_"))
                .collect(Collectors.toSet());
        Set<String> named = ROW.matcher(section)
                .results()
                .flatMap(row -> TEST.matcher(row.group(2)).results())
                .map((MatchResult test) -> test.group(1))
                .filter(name -> !name.startsWith("open_"))
                .collect(Collectors.toSet());
        assertEquals(methods, named);
    }
}
