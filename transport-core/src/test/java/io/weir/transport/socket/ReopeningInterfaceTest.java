package io.weir.transport.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.frame.FramePool;
import io.weir.transport.host.CloseReason;
import io.weir.transport.node.ConfigException;
import io.weir.transport.node.NetPort;
import io.weir.transport.node.PortEnd;
import io.weir.transport.runtime.Backend;
import io.weir.transport.runtime.InterfaceListener;
import io.weir.transport.runtime.MemoryNetwork;
import io.weir.transport.runtime.NetInterface;
import io.weir.transport.runtime.PortConfig;
import io.weir.transport.runtime.Waiter;
import io.weir.transport.testing.Background;
import io.weir.transport.wire.Path;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests {@link ReopeningInterface} under a transport whose interface goes and returns. */
class ReopeningInterfaceTest {
    private static final int PORT = TwoTransports.PORT;
    private static final int FRAMES = 2_048;
    private static final Duration PATIENCE = TwoTransports.PATIENCE;
    private static final TransportConfig CONFIG = TransportConfig.builder()
            .reopen(true)
            .frameCount(FRAMES)
            .warmUpNanosMax(0)
            .build();
    private static final InetSocketAddress HERE = new InetSocketAddress("10.0.0.1", PORT);
    private static final InetSocketAddress PEER = new InetSocketAddress("10.0.0.2", PORT);

    private final ComingAndGoing backend = new ComingAndGoing();
    private final BlockingQueue<String> told = new LinkedBlockingQueue<>();
    private Transport transport;

    private void open(int loopCount) throws IOException {
        transport = Transport.open(backend, "mem0", loopCount, CONFIG, null);
        transport.setInterfaceEndListener(new InterfaceEndListener() {
            @Override
            public void onInterfaceEnded(CloseReason reason) {
                told.add(reason.name());
            }

            @Override
            public void onInterfaceReturned() {
                told.add("RETURNED");
            }
        });
    }

    private String nextTold() throws InterruptedException {
        return String.valueOf(told.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS));
    }

    @AfterEach
    void close() {
        if (transport != null) {
            transport.close(Duration.ZERO);
        }
        backend.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void interface_goneAndBack_oldConnectionsEndWithTheReasonAndNewOnesWork(int loopCount) throws Exception {
        open(loopCount);
        try (WeirServerSocket listener = transport.listen(PORT);
                WeirSocket old = backend.peer.connect(HERE, PATIENCE);
                WeirSocket accepted = listener.accept()) {
            CompletableFuture<Integer> reading = Background.run(() -> accepted.read(ByteBuffer.allocate(1)));
            CompletableFuture<WeirSocket> accepting = Background.run(listener::accept);
            backend.isThere = false;
            backend.end(PortEnd.INTERFACE_DELETED);
            Throwable end = assertThrows(ExecutionException.class, reading::get).getCause();
            assertTrue(end.getMessage().startsWith("The interface of this transport was deleted"), end.getMessage());
            assertEquals("INTERFACE_DELETED", nextTold());
            assertEquals(CloseReason.INTERFACE_DELETED, transport.interfaceEnd());
            SocketException refused = assertThrows(SocketException.class, () -> transport.connect(PEER, PATIENCE));
            assertTrue(refused.getMessage().startsWith("The interface of this transport was deleted"));
            assertFalse(accepting.isDone(), "who waits for a connection goes on waiting");

            backend.isThere = true;
            assertEquals("RETURNED", nextTold());
            assertNull(transport.interfaceEnd());
            assertNull(transport.loop().portFailure());
            assertCarries(backend.peer.connect(HERE, PATIENCE), accepting.get());
            try (WeirServerSocket atPeer = backend.peer.listen(PORT)) {
                // One of each loop's.
                for (int i = 0; i < loopCount; i++) {
                    assertCarries(transport.connect(PEER, PATIENCE), atPeer.accept());
                }
            }
            old.abort();
        }
    }

    private static void assertCarries(WeirSocket from, WeirSocket to) throws IOException {
        try (from;
                to) {
            from.write(ByteBuffer.wrap(new byte[] {42}));
            assertEquals(42, to.inputStream().read());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void interface_goneTwice_returnsTwiceAndNoFrameIsLost(int loopCount) throws Exception {
        open(loopCount);
        for (int i = 0; i < 2; i++) {
            backend.end(PortEnd.BROKER_ENDED);
            assertEquals("BROKER_ENDED", nextTold());
            assertEquals("RETURNED", nextTold());
            try (WeirServerSocket atPeer = backend.peer.listen(PORT)) {
                assertCarries(transport.connect(PEER, PATIENCE), atPeer.accept());
            }
        }
        transport.close();
        backend.assertNoFrameIsMissing();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void listen_whileTheInterfaceIsAway_isClaimedWhenItReturns(int loopCount) throws Exception {
        open(loopCount);
        backend.isThere = false;
        backend.end(PortEnd.INTERFACE_DELETED);
        assertEquals("INTERFACE_DELETED", nextTold());
        try (WeirServerSocket listener = transport.listen(PORT)) {
            backend.isThere = true;
            assertEquals("RETURNED", nextTold());
            assertTrue(backend.claimed.contains(PORT));
            assertCarries(backend.peer.connect(HERE, PATIENCE), listener.accept());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void return_whenAnotherProgramHasAPort_waitsUntilItIsFree(int loopCount) throws Exception {
        open(loopCount);
        try (WeirServerSocket listener = transport.listen(PORT)) {
            backend.isPortTaken = true;
            int before = backend.opened.get();
            backend.end(PortEnd.INTERFACE_DELETED);
            assertEquals("INTERFACE_DELETED", nextTold());
            while (backend.opened.get() < before + 2) {
                Thread.onSpinWait();
            }
            assertEquals(CloseReason.INTERFACE_DELETED, transport.interfaceEnd());
            backend.isPortTaken = false;
            assertEquals("RETURNED", nextTold());
            assertCarries(backend.peer.connect(HERE, PATIENCE), listener.accept());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void close_whileTheInterfaceIsAway_givesEverythingBack(int loopCount) throws Exception {
        open(loopCount);
        transport.listen(PORT);
        backend.isThere = false;
        backend.end(PortEnd.INTERFACE_DELETED);
        assertEquals("INTERFACE_DELETED", nextTold());
        transport.close();
        assertEquals(Set.of(), backend.claimed);
        backend.assertNoFrameIsMissing();
        assertTrue(transport.loop().isClosed());
    }

    @Test
    void open_interfaceThatIsOpenAlready_isRefused() {
        ConfigException refused =
                assertThrows(ConfigException.class, () -> new TwoTransports(CONFIG, TransportConfig.DEFAULT));
        assertTrue(refused.getMessage().contains("give its name"), refused.getMessage());
    }

    /** A network of two hosts, another one with each opening; the test has a transport on the other host. */
    private static final class ComingAndGoing implements Backend, AutoCloseable {
        private final Set<Integer> claimed = ConcurrentHashMap.newKeySet();
        private final AtomicInteger opened = new AtomicInteger();
        private volatile boolean isThere = true;
        private volatile boolean isPortTaken;
        private volatile Transport peer;
        private volatile Followed latest;
        private volatile List<FramePool> pools;

        @Override
        public String name() {
            return "coming-and-going";
        }

        @Override
        public int frameCapacityBytes(String interfaceName) throws IOException {
            if (!isThere) {
                throw new IOException("interface " + interfaceName + " not found");
            }
            return 2_048;
        }

        @Override
        public NetInterface open(
                String interfaceName, FramePool framePool, PortConfig config, List<InetAddress> furtherAddresses)
                throws IOException {
            return openQueues(interfaceName, List.of(framePool), config, furtherAddresses)
                    .get(0);
        }

        @Override
        public List<Opened> openQueues(
                String interfaceName, int loopCount, PortConfig config, List<InetAddress> furtherAddresses)
                throws IOException {
            List<FramePool> newPools = MemoryNetwork.newPools(loopCount, FRAMES);
            List<NetInterface> queues = openQueues(interfaceName, newPools, config, furtherAddresses);
            return IntStream.range(0, loopCount)
                    .mapToObj(i -> new Opened(queues.get(i), newPools.get(i)))
                    .toList();
        }

        @Override
        public List<NetInterface> openQueues(
                String interfaceName, List<FramePool> framePools, PortConfig config, List<InetAddress> furtherAddresses)
                throws IOException {
            frameCapacityBytes(interfaceName);
            close();
            pools = framePools;
            List<List<Opened>> pair = MemoryNetwork.pairWithQueues(framePools, 0, FRAMES, 10_000_000_000L);
            peer = Transport.open(
                    pair.get(1), TransportConfig.builder().warmUpNanosMax(0).build());
            List<NetInterface> queues = pair.get(0).stream()
                    .<NetInterface>map(queue -> new Followed(queue.netInterface()))
                    .toList();
            latest = (Followed) queues.get(0);
            opened.incrementAndGet();
            return queues;
        }

        void assertNoFrameIsMissing() {
            for (FramePool pool : pools) {
                assertEquals(pool.frameCount(), pool.available());
            }
        }

        void end(PortEnd end) {
            latest.listener.onGone(end);
        }

        @Override
        public void close() {
            if (peer != null) {
                peer.close(Duration.ZERO);
            }
        }

        /** An interface whose end the test tells. */
        private final class Followed implements NetInterface {
            private final NetInterface inner;
            private volatile InterfaceListener listener;

            Followed(NetInterface inner) {
                this.inner = inner;
            }

            @Override
            public void follow(InterfaceListener changes) {
                listener = changes;
            }

            @Override
            public NetPort port() {
                return inner.port();
            }

            @Override
            public List<InetAddress> addresses() {
                return inner.addresses();
            }

            @Override
            public Path resolve(int localPort, InetSocketAddress remote) throws IOException {
                return inner.resolve(localPort, remote);
            }

            @Override
            public void claimPort(int udpPort) throws IOException {
                if (isPortTaken) {
                    throw new BindException("UDP port " + udpPort + " is in use by another program");
                }
                inner.claimPort(udpPort);
                claimed.add(udpPort);
            }

            @Override
            public void releasePort(int udpPort) {
                inner.releasePort(udpPort);
                claimed.remove(udpPort);
            }

            @Override
            public Object host() {
                return inner.host();
            }

            @Override
            public Waiter newWaiter() throws IOException {
                return inner.newWaiter();
            }
        }
    }
}
