package io.weir.nic.xdp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.weir.nic.lab.LiveTest;
import io.weir.nic.testing.Ports;
import io.weir.nic.testing.TwoHosts;
import io.weir.nic.testing.UdpFrames;
import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FramePool;
import io.weir.transport.node.Egress;
import io.weir.transport.node.Node;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Proves what a frame costs in steady state: no allocation, and a small share of a system call. */
@LiveTest
class HotPathLiveTest {
    private static final int BURST_FRAMES = 64;
    private static final int WARM_UP_FRAMES = 200_000;
    private static final int FRAMES = 1_000_000;
    private static final int ROUNDS_MAX = 3;
    private static final long NANOS_MAX = TimeUnit.SECONDS.toNanos(20);

    private final FramePool pool = new FramePool(8192, 2048);

    @Test
    void steadyState_aMillionFrames_allocatesNothingAndSharesSystemCalls() throws Exception {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        try (TwoHosts hosts = TwoHosts.create();
                AfXdp xdp = new AfXdp(pool)) {
            Traffic traffic = new Traffic(
                    xdp.open(Ports.host(hosts.a()).build()),
                    xdp.open(Ports.host(hosts.b()).build()),
                    pool,
                    hosts.fromAToB());
            traffic.run(WARM_UP_FRAMES);
            // The virtual machine itself may allocate a little when it recompiles; per frame it would be megabytes.
            long bytes = Long.MAX_VALUE;
            for (int round = 0; round < ROUNDS_MAX && bytes != 0; round++) {
                long framesBefore = traffic.received;
                long bytesBefore = threads.getCurrentThreadAllocatedBytes();
                traffic.run(FRAMES);
                bytes = threads.getCurrentThreadAllocatedBytes() - bytesBefore;
                assertTrue(traffic.received - framesBefore >= FRAMES, "too slow: " + traffic.received + " frames");
            }
            traffic.drain();

            assertEquals(0, bytes, "bytes allocated for " + FRAMES + " frames");
            long calls = traffic.sender.nativeCallCount();
            assertTrue(calls <= traffic.flushes, calls + " system calls for " + traffic.flushes + " flushes");
            assertTrue(calls * 32 <= traffic.sent, calls + " system calls for " + traffic.sent + " frames");
            long receiverCalls = traffic.receiver.nativeCallCount();
            assertTrue(receiverCalls <= 2, receiverCalls + " system calls to receive");
        }
        assertEquals(pool.frameCount(), pool.available());
    }

    /** Bursts of frames from one port to the other, both driven by the calling thread. */
    private static final class Traffic implements Node {
        private final AfXdpPort sender;
        private final AfXdpPort receiver;
        private final FramePool pool;
        private final UdpFrames writer;
        private long sent;
        private long received;
        private long flushes;

        Traffic(AfXdpPort sender, AfXdpPort receiver, FramePool pool, UdpFrames writer) {
            this.sender = sender;
            this.receiver = receiver;
            this.pool = pool;
            this.writer = writer;
        }

        void run(int frames) {
            long startNanos = System.nanoTime();
            long target = received + frames;
            while (received < target && System.nanoTime() - startNanos < NANOS_MAX) {
                int room = Math.min(sender.transmitCapacity(), BURST_FRAMES);
                for (int i = 0; i < room && pool.available() > 0; i++) {
                    sender.transmit(writer.write(pool.allocate(), 128, 18, Ports.UDP_PORT, sent++));
                }
                sender.flush();
                flushes++;
                receiver.pollReceive(this, 0, 2 * BURST_FRAMES, 1);
            }
        }

        void drain() {
            long startNanos = System.nanoTime();
            while (received < sent && System.nanoTime() - startNanos < NANOS_MAX / 10) {
                sender.flush();
                flushes++;
                receiver.pollReceive(this, 0, BURST_FRAMES, 1);
            }
        }

        @Override
        public void onFrame(int portIndex, Frame frame, long nowNanos) {
            received++;
            frame.release();
        }

        @Override
        public void onTimeout(long nowNanos) {}

        @Override
        public long nextTimeoutNanos() {
            return Long.MAX_VALUE;
        }

        @Override
        public Egress egress(int portIndex) {
            throw new UnsupportedOperationException();
        }

        @Override
        public int portCount() {
            return 1;
        }

        @Override
        public void onPause(long pauseNanos, long nowNanos) {}
    }
}
