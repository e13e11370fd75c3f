package io.weir.transport.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.frame.FramePool;
import io.weir.transport.node.NetPort;
import io.weir.transport.runtime.MemoryNetwork;
import io.weir.transport.runtime.NetInterface;
import io.weir.transport.runtime.Waiter;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.wire.Path;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests that calls which do not wait run the loop on their own thread while the loop's sleeps: to wake that one costs a
 * system call, and makes two threads of one that has the answer soon.
 */
class HelpedCallsTest {
    private final FramePool left = new FramePool(2048, 2048, true);
    private final FramePool right = new FramePool(2048, 2048, true);
    private final SoundWaiter waiter = new SoundWaiter();

    private Transport client;
    private Transport server;
    private WeirServerSocket listener;

    /** Sleeps through everything until the test is over. */
    private static final class SoundWaiter implements Waiter {
        private final CountDownLatch asleep = new CountDownLatch(1);
        private final CountDownLatch over = new CountDownLatch(1);

        @Override
        public void await(long timeoutNanos) {
            asleep.countDown();
            boolean isOver = false;
            while (!isOver) {
                try {
                    over.await();
                    isOver = true;
                } catch (InterruptedException e) {
                    // It sleeps on.
                }
            }
        }

        @Override
        public void wake() {}

        @Override
        public void close() {}
    }

    /** An interface whose loop's thread sleeps by that. */
    private record SoundInterface(NetInterface memory, SoundWaiter waiter) implements NetInterface {
        @Override
        public NetPort port() {
            return memory.port();
        }

        @Override
        public List<InetAddress> addresses() {
            return memory.addresses();
        }

        @Override
        public Path resolve(int localPort, InetSocketAddress remote) throws IOException {
            return memory.resolve(localPort, remote);
        }

        @Override
        public Path knownPath(int localPort, InetSocketAddress remote) {
            return memory.knownPath(localPort, remote);
        }

        @Override
        public void claimPort(int port) throws IOException {
            memory.claimPort(port);
        }

        @Override
        public void releasePort(int port) {
            memory.releasePort(port);
        }

        @Override
        public Waiter newWaiter() {
            return waiter;
        }
    }

    @BeforeEach
    void open() throws Exception {
        List<NetInterface> pair = MemoryNetwork.pair(left, right, 1500, 10_000_000_000L);
        client = Transport.open(new SoundInterface(pair.get(0), waiter), left, TransportConfig.DEFAULT);
        server = Transport.open(pair.get(1), right, TransportConfig.DEFAULT);
        listener = server.listen(TwoTransports.PORT);
        waiter.asleep.await();
    }

    @AfterEach
    void close() {
        waiter.over.countDown();
        client.close(Duration.ZERO);
        server.close(Duration.ZERO);
    }

    private long framesSent() {
        return client.counters().get(CounterId.FRAMES_SENT);
    }

    /** {@return a socket for which this thread has run the loop} */
    private WeirSocket connected() {
        CompletableFuture<WeirSocket> opening = client.connectAsync(TwoTransports.SERVER);
        while (!opening.isDone()) {
            client.loop().helpers().help();
            Thread.onSpinWait();
        }
        return opening.join();
    }

    @Test
    void connectAsync_loopsThreadSleeps_beginsOnTheCallingThread() {
        CompletableFuture<WeirSocket> opening = client.connectAsync(TwoTransports.SERVER);
        assertEquals(1, framesSent());
        opening.cancel(false);
    }

    @Test
    void tryWriteAndClose_loopsThreadSleeps_sendOnTheCallingThread() throws Exception {
        WeirSocket near = connected();
        long before = framesSent();
        assertEquals(1, near.tryWrite(ByteBuffer.allocate(1)));
        assertTrue(framesSent() > before, "written");
        try (WeirSocket far = listener.accept()) {
            assertEquals(1, far.read(ByteBuffer.allocate(1)));
            long beforeEnd = framesSent();
            near.close();
            assertTrue(framesSent() > beforeEnd, "closed");
            assertEquals(-1, far.read(ByteBuffer.allocate(1)));
        }
    }

    @Test
    void setReadinessListener_loopsThreadSleeps_tellsOnTheCallingThread() throws Exception {
        WeirSocket near = connected();
        AtomicInteger told = new AtomicInteger();
        near.setReadinessListener(told::incrementAndGet);
        assertTrue(told.get() > 0);
        near.abort();
    }
}
