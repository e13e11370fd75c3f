package io.weir.transport.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FramePool;
import io.weir.transport.frame.FrameQueue;
import io.weir.transport.node.Egress;
import io.weir.transport.node.UntimedNode;
import io.weir.transport.time.Deadline;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests {@link PolledNode} about a Node that sends back what it gets. */
class PolledNodeTest {
    private static final int EVERY_NANOS = 1_000;
    private static final int RING_FRAMES = 1024;

    private final FramePool pool = new FramePool(RING_FRAMES + 8, 2048);
    private final Echo echo = new Echo();
    private final PolledNode polled = new PolledNode(echo, () -> EVERY_NANOS);

    /** Sends back what it gets, and notes when it got it. */
    private static final class Echo implements UntimedNode, Egress {
        private final FrameQueue frames = new FrameQueue();
        private final List<Long> seenNanos = new ArrayList<>();
        private final List<Long> stampsNanos = new ArrayList<>();
        private final List<Long> flushedNanos = new ArrayList<>();

        @Override
        public void onFrame(int portIndex, Frame frame, long nowNanos) {
            seenNanos.add(nowNanos);
            stampsNanos.add(frame.stampNanos(nowNanos));
            frames.add(frame);
        }

        @Override
        public Egress egress(int portIndex) {
            return this;
        }

        @Override
        public void onFlushed(int portIndex, long nowNanos) {
            flushedNanos.add(nowNanos);
        }

        @Override
        public Frame pollTransmit(long nowNanos) {
            return frames.poll();
        }

        @Override
        public long nextTransmitNanos(long nowNanos) {
            return frames.peek() == null ? Deadline.NO_DEADLINE : nowNanos;
        }
    }

    @Test
    void onFrame_betweenPolls_isSeenByTheNextWithItsTime() {
        polled.onTimeout(0);
        Frame first = pool.allocate();
        polled.onFrame(0, first, 100);
        polled.onFrame(0, pool.allocate(), 900);
        polled.onTimeout(999);
        assertEquals(List.of(), echo.seenNanos);
        assertEquals(EVERY_NANOS, polled.nextTimeoutNanos());
        polled.onTimeout(EVERY_NANOS);
        assertEquals(List.of(1_000L, 1_000L), echo.seenNanos);
        assertEquals(2_000, polled.nextTimeoutNanos());
        assertSame(first, polled.egress(0).pollTransmit(1_500));
        first.release();
        polled.close();
        assertEquals(pool.frameCount(), pool.available());
    }

    @Test
    void pollTransmit_handoverTakesTime_leavesAfterItAndTheNodeIsToldByTheNextPoll() {
        PolledNode slow = new PolledNode(echo, () -> EVERY_NANOS, () -> 300, true);
        slow.onFrame(0, pool.allocate(), 40);
        slow.onTimeout(100);
        assertEquals(List.of(40L), echo.stampsNanos);
        assertEquals(400, slow.egress(0).nextTransmitNanos(100));
        assertNull(slow.egress(0).pollTransmit(399));
        assertEquals(1_400, slow.nextTimeoutNanos());
        assertEquals(List.of(), echo.flushedNanos);
        slow.egress(0).pollTransmit(400).release();
        slow.onTimeout(1_400);
        assertEquals(List.of(400L), echo.flushedNanos);
        slow.close();
        assertEquals(pool.frameCount(), pool.available());
    }

    @Test
    void pollTransmit_nodeHasSomethingBetweenPolls_waits() {
        polled.onTimeout(0);
        echo.frames.add(pool.allocate());
        assertEquals(Deadline.NO_DEADLINE, polled.egress(0).nextTransmitNanos(500));
        polled.onTimeout(EVERY_NANOS);
        assertEquals(1_100, polled.egress(0).nextTransmitNanos(1_100));
        polled.close();
        assertEquals(pool.frameCount(), pool.available());
    }

    @Test
    void onFrame_ringFull_isLost() {
        polled.onTimeout(0);
        for (int i = 0; i <= RING_FRAMES; i++) {
            polled.onFrame(0, pool.allocate(), 1);
        }
        assertEquals(8, pool.available());
        assertEquals(1, polled.framesLost());
        polled.close();
        assertEquals(pool.frameCount(), pool.available());
    }
}
