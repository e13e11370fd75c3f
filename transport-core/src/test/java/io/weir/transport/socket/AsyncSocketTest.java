package io.weir.transport.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.frame.FramePool;
import io.weir.transport.runtime.MemoryNetwork;
import io.weir.transport.runtime.NetInterface;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests what waits for nothing: openings, listeners of connections that come, and whether a call would wait. */
@SuppressWarnings("FutureReturnValueIgnored") // what is told by a future is awaited by another one
class AsyncSocketTest {
    private static final int ASKED_MAX = 10_000_000;
    private static final long PATIENCE_SECONDS = TwoTransports.PATIENCE.toSeconds();

    private TwoTransports both;

    @BeforeEach
    void open() throws IOException {
        both = new TwoTransports();
    }

    @AfterEach
    void close() {
        both.close();
    }

    private static <T> T get(CompletableFuture<T> future) throws Exception {
        return future.get(TwoTransports.PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    private static Throwable failureOf(CompletableFuture<WeirSocket> future) {
        return assertThrows(ExecutionException.class, () -> get(future)).getCause();
    }

    private static void send(WeirSocket socket, int bytes) throws IOException {
        assertEquals(bytes, socket.write(ByteBuffer.allocate(bytes)));
    }

    /** {@return how many connections the client's loop has, in a cycle of it} */
    private int clientConnections() throws Exception {
        CompletableFuture<Integer> count = new CompletableFuture<>();
        both.client.execute(now -> count.complete(both.client.hostStack().connectionCount()));
        return get(count);
    }

    @Test
    void connectAsync_somebodyListens_givesASocketThatWorks() throws Exception {
        WeirServerSocket listener = both.listener();
        try (WeirSocket near = get(both.client.connectAsync(TwoTransports.SERVER))) {
            send(near, 10);
            try (WeirSocket far = listener.accept()) {
                assertEquals(10, far.read(ByteBuffer.allocate(20)));
            }
        }
    }

    @Test
    void connectAsync_inATaskOfTheLoop_isOpenedByIt() throws Exception {
        WeirServerSocket listener = both.listener();
        CompletableFuture<WeirSocket> opened = new CompletableFuture<>();
        both.client.execute(now -> both.client
                .connectAsync(TwoTransports.SERVER)
                .whenComplete((socket, problem) -> opened.complete(socket)));
        WeirSocket near = get(opened);
        send(near, 1);
        assertEquals(1, listener.accept().read(ByteBuffer.allocate(1)));
    }

    @Test
    void connectAsync_fromAPort_leavesFromThere() throws Exception {
        both.listener();
        LocalPort from = both.client.bind(new InetSocketAddress(40_001));
        WeirSocket near = get(both.client.connectAsync(TwoTransports.SERVER, from));
        assertEquals(40_001, near.localAddress().getPort());
        send(near, 1);
        assertEquals(40_001, both.listener().accept().remoteAddress().getPort());
        assertInstanceOf(IOException.class, failureOf(both.client.connectAsync(TwoTransports.SERVER, from)));
    }

    @Test
    void connectAsync_nobodyListens_failsAsConnectDoes() {
        Throwable failure = failureOf(both.client.connectAsync(TwoTransports.SERVER));
        assertInstanceOf(ConnectException.class, failure);
        assertTrue(failure.getMessage().contains("Connection refused"), failure.getMessage());
    }

    @Test
    void connectAsync_unresolved_failsAtOnce() {
        CompletableFuture<WeirSocket> opening =
                both.client.connectAsync(InetSocketAddress.createUnresolved("nowhere.invalid", 1));
        assertTrue(opening.isCompletedExceptionally());
        assertInstanceOf(
                UnknownHostException.class,
                assertThrows(CompletionException.class, opening::join).getCause());
    }

    @Test
    void connectAsync_cancelled_leavesNothing() throws Exception {
        both.listener();
        List<CompletableFuture<WeirSocket>> openings = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            CompletableFuture<WeirSocket> opening = both.client.connectAsync(TwoTransports.SERVER);
            opening.cancel(false);
            openings.add(opening);
        }
        // One that was open before it was cancelled is a socket like any other.
        openings.stream().filter(opening -> !opening.isCancelled()).forEach(opening -> opening.join()
                .abort());
        int left = clientConnections();
        for (int i = 0; left > 0 && i < ASKED_MAX; i++) {
            left = clientConnections();
        }
        assertEquals(0, left);
    }

    @Test
    void connectAsync_transportCloses_failsWithTheReason() throws Exception {
        // Nobody answers: the server's port is closed silently.
        both.server.close(Duration.ZERO);
        CompletableFuture<WeirSocket> opening = both.client.connectAsync(TwoTransports.SERVER);
        both.client.close(Duration.ZERO);
        Throwable failure = failureOf(opening);
        assertInstanceOf(SocketException.class, failure);
        Throwable late = failureOf(both.client.connectAsync(TwoTransports.SERVER));
        assertInstanceOf(SocketException.class, late);
        assertTrue(late.getMessage().contains("Transport closed"), late.getMessage());
    }

    @Test
    void connectAsync_wayFailsWithAnError_isToldOnTheLoopAndOffIt() throws Exception {
        for (String call : List.of("knownPath", "resolve")) {
            FramePool pool = new FramePool(2048, 2048, true);
            NetInterface inner = MemoryNetwork.pair(pool, new FramePool(64, 2048), 1500, 10_000_000_000L)
                    .get(0);
            try (Transport broken = Transport.open(failingIn(call, inner), pool, TransportConfig.DEFAULT)) {
                assertEquals(
                        "planted",
                        failureOf(broken.connectAsync(TwoTransports.SERVER)).getMessage());
            }
        }
    }

    /** {@return an interface that knows no way, and one of whose methods fails} */
    private static NetInterface failingIn(String method, NetInterface inner) {
        return (NetInterface) Proxy.newProxyInstance(
                NetInterface.class.getClassLoader(),
                new Class<?>[] {NetInterface.class},
                (proxy, called, arguments) -> {
                    if (called.getName().equals(method)) {
                        throw new AssertionError("planted");
                    }
                    return called.getName().equals("knownPath") ? null : called.invoke(inner, arguments);
                });
    }

    @Test
    void isReadable_nothingBytesAndTheEnd_isSaidWithoutTakingAnything() throws Exception {
        WeirSocket near = both.near();
        WeirSocket far = both.far();
        assertFalse(far.isReadable());
        Semaphore told = listenTo(far);
        send(near, 3);
        awaitTold(told, far::isReadable);
        assertTrue(far.isReadable());
        assertEquals(3, far.tryRead(ByteBuffer.allocate(10)));
        assertFalse(far.isReadable());
        near.shutdownOutput();
        awaitTold(told, far::isReadable);
        assertEquals(-1, far.tryRead(ByteBuffer.allocate(10)));
        near.abort();
        awaitTold(told, far::isWritable);
        far.close();
        assertTrue(far.isReadable() && far.isWritable() && !far.isOpen());
    }

    @Test
    void isWritable_withoutRoom_isFalseUntilTheListenerIsTold() throws Exception {
        WeirSocket near = both.near();
        WeirSocket far = both.far();
        Semaphore told = listenTo(near);
        ByteBuffer much = ByteBuffer.allocate(1 << 16);
        while (near.isWritable()) {
            near.tryWrite(much.clear());
        }
        told.drainPermits();
        ByteBuffer target = ByteBuffer.allocate(1 << 20);
        far.setListener(new SocketListener() {
            @Override
            public void onReadable(WeirSocket socket) {
                try {
                    while (socket.tryRead(target.clear()) > 0) {
                        // Until there is nothing more.
                    }
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
            }

            @Override
            public void onWritable(WeirSocket socket) {}
        });
        awaitTold(told, near::isWritable);
        assertTrue(near.tryWrite(much.clear()) > 0);
    }

    private static Semaphore listenTo(WeirSocket socket) {
        Semaphore told = new Semaphore(0);
        socket.setListener(new SocketListener() {
            @Override
            public void onReadable(WeirSocket from) {
                told.release();
            }

            @Override
            public void onWritable(WeirSocket to) {
                told.release();
            }
        });
        return told;
    }

    /** What a test waits for. */
    private interface Condition {
        boolean holds() throws IOException;
    }

    private static void awaitTold(Semaphore told, Condition condition) throws Exception {
        while (!condition.holds()) {
            assertTrue(told.tryAcquire(PATIENCE_SECONDS, TimeUnit.SECONDS), "the listener is told");
        }
    }

    @Test
    void setListener_ofAListeningSocket_isToldOfWhatCameBeforeOfMoreAndOfTheEnd() throws Exception {
        WeirServerSocket listener = both.listener();
        send(get(both.client.connectAsync(TwoTransports.SERVER)), 1);
        Semaphore told = new Semaphore(0);
        List<WeirSocket> taken = new ArrayList<>();
        listener.setListener(told::release);
        awaitTold(told, () -> take(listener, taken) == 1);
        send(get(both.client.connectAsync(TwoTransports.SERVER)), 1);
        awaitTold(told, () -> take(listener, taken) == 2);
        assertNull(listener.tryAccept());
        assertFalse(listener.isOver());
        told.drainPermits();
        listener.close();
        awaitTold(told, listener::isOver);
    }

    private static int take(WeirServerSocket listener, List<WeirSocket> taken) {
        WeirSocket socket = listener.tryAccept();
        if (socket != null) {
            taken.add(socket);
        }
        return taken.size();
    }

    @Test
    void setListener_thatThrows_costsTheAcceptedConnectionNothing() throws Exception {
        List<Throwable> faults = new ArrayList<>();
        both.server.setFaultListener((connection, problem) -> faults.add(problem));
        WeirServerSocket listener = both.listener();
        listener.setListener(() -> {
            throw new IllegalStateException("a bug of the application");
        });
        WeirSocket near = get(both.client.connectAsync(TwoTransports.SERVER));
        send(near, 5);
        assertEquals(5, listener.accept().read(ByteBuffer.allocate(5)));
        assertFalse(faults.isEmpty());
    }

    @Test
    void readAndWrite_severalBuffers_goOneAfterTheOther() throws Exception {
        WeirSocket near = both.near();
        WeirSocket far = both.far();
        ByteBuffer[] sources = {
            ByteBuffer.wrap(new byte[] {1, 2}), ByteBuffer.allocate(0), ByteBuffer.wrap(new byte[] {3, 4, 5}),
        };
        assertEquals(5, near.write(sources));
        near.shutdownOutput();
        List<Byte> came = new ArrayList<>();
        ByteBuffer[] targets = {ByteBuffer.allocate(1), ByteBuffer.allocate(0), ByteBuffer.allocate(2)};
        while (far.read(targets) >= 0) {
            for (ByteBuffer target : targets) {
                for (target.flip(); target.hasRemaining(); ) {
                    came.add(target.get());
                }
                target.clear();
            }
        }
        assertEquals(List.of((byte) 1, (byte) 2, (byte) 3, (byte) 4, (byte) 5), came);
        assertThrows(IndexOutOfBoundsException.class, () -> far.read(targets, 2, 2));
        assertThrows(IndexOutOfBoundsException.class, () -> near.write(sources, -1, 2));
    }
}
