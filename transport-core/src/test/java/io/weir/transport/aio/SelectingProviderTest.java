package io.weir.transport.aio;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.fallback.TestFallback;
import io.weir.transport.nio.DualSelectorProvider;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousChannelGroup;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.CompletionHandler;
import java.nio.channels.InterruptedByTimeoutException;
import java.nio.channels.NotYetBoundException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.ReadPendingException;
import java.nio.channels.ShutdownChannelGroupException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.channels.spi.AsynchronousChannelProvider;
import java.nio.channels.spi.SelectorProvider;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Plays what programs do with asynchronous channels: on the Java runtime's own, and on ours over each way. */
class SelectingProviderTest {
    private static final String KERNEL = "kernel";
    private static final String WEIR = "both 127.0.0.0/8 * weir interface=m";
    private static final String PREFER = "both 127.0.0.0/8 * prefer interface=m";
    private static final String TCP = "both * * tcp";
    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    private TestFallback rules;
    private AsynchronousChannelGroup group;

    private void open(String text) throws Exception {
        AsynchronousChannelProvider provider = AsynchronousChannelProvider.provider();
        if (!text.equals(KERNEL)) {
            rules = new TestFallback(text);
            provider = new SelectingProvider(new DualSelectorProvider(SelectorProvider.provider(), rules.fallback));
        }
        group = provider.openAsynchronousChannelGroup(2, Executors.defaultThreadFactory());
    }

    @AfterEach
    void close() throws IOException {
        group.shutdownNow();
        if (rules != null) {
            rules.close();
        }
    }

    private AsynchronousServerSocketChannel listener() throws IOException {
        return group.provider().openAsynchronousServerSocketChannel(group).bind(ANY_PORT, 50);
    }

    private AsynchronousSocketChannel channel() throws IOException {
        return group.provider().openAsynchronousSocketChannel(group);
    }

    /** Two ends of a connection. */
    private record Ends(AsynchronousSocketChannel near, AsynchronousSocketChannel far) {}

    private Ends connect() throws Exception {
        AsynchronousServerSocketChannel listener = listener();
        Future<AsynchronousSocketChannel> accepted = listener.accept();
        AsynchronousSocketChannel near = channel();
        near.connect(listener.getLocalAddress()).get();
        return new Ends(near, accepted.get());
    }

    private static Throwable cause(Future<?> future) {
        return assertThrows(ExecutionException.class, future::get).getCause();
    }

    /** Reads by handlers until a buffer is full or the stream ends. */
    private static CompletableFuture<Integer> readAll(AsynchronousSocketChannel from, ByteBuffer target) {
        CompletableFuture<Integer> done = new CompletableFuture<>();
        from.read(target, null, new CompletionHandler<Integer, Void>() {
            @Override
            public void completed(Integer count, Void attachment) {
                if (count < 0 || !target.hasRemaining()) {
                    done.complete(target.position());
                } else {
                    from.read(target, null, this);
                }
            }

            @Override
            public void failed(Throwable problem, Void attachment) {
                done.completeExceptionally(problem);
            }
        });
        return done;
    }

    private static CompletableFuture<Integer> writeAll(AsynchronousSocketChannel to, ByteBuffer source) {
        CompletableFuture<Integer> done = new CompletableFuture<>();
        to.write(source, null, new CompletionHandler<Integer, Void>() {
            @Override
            public void completed(Integer count, Void attachment) {
                if (source.hasRemaining()) {
                    to.write(source, null, this);
                } else {
                    done.complete(source.position());
                }
            }

            @Override
            public void failed(Throwable problem, Void attachment) {
                done.completeExceptionally(problem);
            }
        });
        return done;
    }

    @ParameterizedTest
    @ValueSource(strings = {KERNEL, WEIR, PREFER, TCP})
    void bytes_bothWaysAtOnce_arriveWhole(String way) throws Exception {
        open(way);
        Ends ends = connect();
        byte[] bytes = new byte[3_000_001];
        new Random(7).nextBytes(bytes);
        ByteBuffer there = ByteBuffer.allocate(bytes.length + 1);
        ByteBuffer back = ByteBuffer.allocateDirect(bytes.length + 1);
        CompletableFuture<Integer> readThere = readAll(ends.far(), there);
        CompletableFuture<Integer> readBack = readAll(ends.near(), back);
        CompletableFuture<Integer> sentThere = writeAll(ends.near(), ByteBuffer.wrap(bytes));
        CompletableFuture<Integer> sentBack = writeAll(ends.far(), ByteBuffer.wrap(bytes));
        assertEquals(bytes.length, sentThere.get());
        assertEquals(bytes.length, sentBack.get());
        ends.near().shutdownOutput();
        ends.far().shutdownOutput();
        assertEquals(bytes.length, readThere.get());
        assertEquals(bytes.length, readBack.get());
        assertArrayEquals(bytes, Arrays.copyOf(there.array(), bytes.length));
        byte[] came = new byte[bytes.length];
        back.flip().get(came);
        assertArrayEquals(bytes, came);
    }

    @ParameterizedTest
    @ValueSource(strings = {KERNEL, WEIR, PREFER, TCP})
    void gather_severalBuffers_areOneStream(String way) throws Exception {
        open(way);
        Ends ends = connect();
        CompletableFuture<Long> written = new CompletableFuture<>();
        ByteBuffer[] sources = {ByteBuffer.wrap(new byte[] {1, 2}), ByteBuffer.wrap(new byte[] {3})};
        ends.near().write(sources, 0, 2, 0, TimeUnit.SECONDS, written, handler());
        assertEquals(3L, written.get());
        ByteBuffer[] targets = {ByteBuffer.allocate(1), ByteBuffer.allocate(2)};
        long count = 0;
        while (count < 3) {
            CompletableFuture<Long> read = new CompletableFuture<>();
            ends.far().read(targets, 0, 2, 0, TimeUnit.SECONDS, read, handler());
            count += read.get();
        }
        assertArrayEquals(new byte[] {1}, targets[0].array());
        assertArrayEquals(new byte[] {2, 3}, targets[1].array());
    }

    private static CompletionHandler<Long, CompletableFuture<Long>> handler() {
        return new CompletionHandler<>() {
            @Override
            public void completed(Long value, CompletableFuture<Long> done) {
                done.complete(value);
            }

            @Override
            public void failed(Throwable problem, CompletableFuture<Long> done) {
                done.completeExceptionally(problem);
            }
        };
    }

    @ParameterizedTest
    @ValueSource(strings = {KERNEL, WEIR, PREFER, TCP})
    void calls_whileOneIsPending_areRefused(String way) throws Exception {
        open(way);
        Ends ends = connect();
        Future<Integer> pending = ends.near().read(ByteBuffer.allocate(1));
        assertThrows(ReadPendingException.class, () -> ends.near().read(ByteBuffer.allocate(1)));
        assertEquals(1, ends.far().write(ByteBuffer.wrap(new byte[] {9})).get());
        assertEquals(1, pending.get());
    }

    @ParameterizedTest
    @ValueSource(strings = {KERNEL, WEIR, PREFER, TCP})
    void close_whileAReadIsPending_endsIt(String way) throws Exception {
        open(way);
        Ends ends = connect();
        Future<Integer> pending = ends.near().read(ByteBuffer.allocate(1));
        ends.near().close();
        assertInstanceOf(AsynchronousCloseException.class, cause(pending));
        assertInstanceOf(ClosedChannelException.class, cause(ends.near().read(ByteBuffer.allocate(1))));
        assertEquals(-1, ends.far().read(ByteBuffer.allocate(1)).get());
        assertFalse(ends.near().isOpen());
    }

    @ParameterizedTest
    @ValueSource(strings = {KERNEL, WEIR, PREFER, TCP})
    void read_timeIsOver_failsAndSoDoReadsAfterIt(String way) throws Exception {
        open(way);
        Ends ends = connect();
        CompletableFuture<Integer> read = new CompletableFuture<>();
        ends.near()
                .read(ByteBuffer.allocate(1), 1, TimeUnit.MILLISECONDS, null, new CompletionHandler<Integer, Void>() {
                    @Override
                    public void completed(Integer count, Void attachment) {
                        read.complete(count);
                    }

                    @Override
                    public void failed(Throwable problem, Void attachment) {
                        read.completeExceptionally(problem);
                    }
                });
        assertInstanceOf(InterruptedByTimeoutException.class, cause(read));
        assertThrows(IllegalStateException.class, () -> ends.near().read(ByteBuffer.allocate(1)));
    }

    @ParameterizedTest
    @ValueSource(strings = {KERNEL, WEIR, PREFER, TCP})
    void calls_tooEarlyOrToNobody_failAsTheJavadocSays(String way) throws Exception {
        open(way);
        assertThrows(NotYetConnectedException.class, () -> channel().read(ByteBuffer.allocate(1)));
        assertThrows(NotYetBoundException.class, () -> group.provider()
                .openAsynchronousServerSocketChannel(group)
                .accept());
        assertThrows(UnresolvedAddressException.class, () -> channel()
                .connect(InetSocketAddress.createUnresolved("nowhere.invalid", 1)));
        InetSocketAddress closed;
        try (AsynchronousServerSocketChannel listener = listener()) {
            closed = (InetSocketAddress) listener.getLocalAddress();
        }
        AsynchronousSocketChannel near = channel();
        assertInstanceOf(ConnectException.class, cause(near.connect(closed)));
        assertFalse(near.isOpen());
    }

    @ParameterizedTest
    @ValueSource(strings = {KERNEL, WEIR, PREFER, TCP})
    void group_shutDown_endsWithItsLastChannel(String way) throws Exception {
        open(way);
        // Not a read: of two ends that are closed one after the other, the second may come to the end of its stream.
        Future<AsynchronousSocketChannel> pending = listener().accept();
        group.shutdown();
        assertTrue(group.isShutdown());
        assertFalse(group.isTerminated());
        assertThrows(ShutdownChannelGroupException.class, this::channel);
        group.shutdownNow();
        assertInstanceOf(AsynchronousCloseException.class, cause(pending));
        while (!group.isTerminated()) {
            Thread.onSpinWait();
        }
    }
}
