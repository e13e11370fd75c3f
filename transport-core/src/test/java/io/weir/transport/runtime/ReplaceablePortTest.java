package io.weir.transport.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FramePool;
import io.weir.transport.node.Egress;
import io.weir.transport.node.NetPort;
import io.weir.transport.node.Node;
import io.weir.transport.time.Deadline;
import org.junit.jupiter.api.Test;

/** Tests {@link ReplaceablePort} and {@link ReplaceableWaiter}. */
class ReplaceablePortTest {
    private static final long RATE_BPS = 1_000_000_000L;

    private final FramePool pool = new FramePool(16, 2_048, true);
    private final FramePool otherPool = new FramePool(16, 2_048, true);

    private MemoryLink link() {
        return new MemoryLink(
                MemoryLink.info("left", 1, 1_500, RATE_BPS),
                pool,
                MemoryLink.info("right", 2, 1_500, RATE_BPS),
                otherPool);
    }

    private Frame frame() {
        Frame frame = pool.allocate();
        frame.setExtent(0, 64);
        return frame;
    }

    private static void send(NetPort port, Frame frame) {
        assertTrue(port.transmitCapacity() > 0);
        port.transmit(frame);
        port.flush();
    }

    @Test
    void retire_portWithFrames_givesThemBackAndMovesNone() {
        MemoryLink link = link();
        ReplaceablePort port = new ReplaceablePort(link.left());
        send(link.right(), otherFrame());
        port.retire();
        assertTrue(port.isRetired());
        assertEquals(0, port.transmitCapacity());
        assertEquals("left", port.info().name());
        port.transmit(frame());
        assertEquals(pool.frameCount(), pool.available(), "as on a cut wire");
        port.close();
        link.right().close();
    }

    private Frame otherFrame() {
        Frame frame = otherPool.allocate();
        frame.setExtent(0, 64);
        return frame;
    }

    @Test
    void replace_retired_movesFramesByTheOtherPort() {
        ReplaceablePort port = new ReplaceablePort(link().left());
        MemoryLink next = link();
        assertThrows(IllegalStateException.class, () -> port.replace(next.left()));
        port.retire();
        port.replace(next.left());
        assertFalse(port.isRetired());
        send(port, frame());
        ReleasingNode node = new ReleasingNode();
        assertEquals(1, next.right().pollReceive(node, 0, 8, 0));
        port.close();
        assertTrue(port.isClosed());
        next.right().close();
    }

    @Test
    void stopReceiving_framesWait_sendsAndTakesNothingIn() {
        MemoryLink link = link();
        ReplaceablePort port = new ReplaceablePort(link.left());
        send(link.right(), otherFrame());
        port.stopReceiving();
        ReleasingNode node = new ReleasingNode();
        assertEquals(0, port.pollReceive(node, 0, 8, 0));
        send(port, frame());
        assertEquals(1, link.right().pollReceive(node, 0, 8, 0));
        port.close();
        link.right().close();
    }

    @Test
    void replaceWaiter_wokenBefore_endsTheNextSleepAtOnce() {
        LoopFakes.CountingWaiter first = new LoopFakes.CountingWaiter();
        LoopFakes.CountingWaiter second = new LoopFakes.CountingWaiter();
        ReplaceableWaiter waiter = new ReplaceableWaiter(first);
        waiter.wake();
        waiter.replace(second);
        assertEquals(1, second.wakes.get(), "who woke the first one has not woken this");
        waiter.wake();
        assertEquals(2, second.wakes.get());
        assertEquals(1, first.wakes.get());
    }

    /** A Node that gives frames back as they come. */
    private static final class ReleasingNode implements Node {
        @Override
        public void onFrame(int portIndex, Frame frame, long nowNanos) {
            frame.release();
        }

        @Override
        public void onTimeout(long nowNanos) {}

        @Override
        public long nextTimeoutNanos() {
            return Deadline.NO_DEADLINE;
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
