package io.weir.transport.sim;

import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FrameQueue;
import io.weir.transport.node.Egress;
import io.weir.transport.node.Node;
import io.weir.transport.time.Deadline;

/**
 * A Node of one port whose driver looks at it now and then, as a loop does: what has come waits in a ring until then, what may leave is
 * handed to another ring all at once, and all of it has the time of the poll. Without it a simulated Node is as prompt as no loop is.
 *
 * <p>Who uses it closes it, for the frames in its rings.
 */
public final class PolledNode implements Node {
    /** As many frames as a ring of a device has room for. */
    private static final int RING_FRAMES = 1024;

    private final Node node;
    private final ReceiveDelay interval;
    private final FrameQueue arrived = new FrameQueue();
    private final FrameQueue leaving = new FrameQueue();
    private final Egress egress = new Ring();
    private long pollNanos;
    private long framesLost;

    /** Creates a Node that is looked at once each {@code interval}. */
    public PolledNode(Node node, ReceiveDelay interval) {
        this.node = node;
        this.interval = interval;
    }

    @Override
    public void onFrame(int portIndex, Frame frame, long nowNanos) {
        if (arrived.frameCount() == RING_FRAMES) {
            framesLost++;
            frame.release();
        } else {
            arrived.add(frame);
        }
    }

    @Override
    public void onTimeout(long nowNanos) {
        if (nowNanos < pollNanos) {
            return;
        }
        for (Frame frame = arrived.poll(); frame != null; frame = arrived.poll()) {
            node.onFrame(0, frame, nowNanos);
        }
        if (node.nextTimeoutNanos() <= nowNanos) {
            node.onTimeout(nowNanos);
        }
        transmit(nowNanos);
        pollNanos = nowNanos + Math.max(1, interval.nextNanos());
    }

    private void transmit(long nowNanos) {
        while (leaving.frameCount() < RING_FRAMES) {
            Frame frame = node.egress(0).pollTransmit(nowNanos);
            if (frame == null) {
                return;
            }
            leaving.add(frame);
        }
    }

    @Override
    public long nextTimeoutNanos() {
        return pollNanos;
    }

    @Override
    public Egress egress(int portIndex) {
        return egress;
    }

    @Override
    public int portCount() {
        return 1;
    }

    @Override
    public void onPause(long pauseNanos, long nowNanos) {
        node.onPause(pauseNanos, nowNanos);
    }

    /** {@return frames that came when its ring was full} */
    public long framesLost() {
        return framesLost;
    }

    /** Returns the frames of its rings to their pool. */
    public void close() {
        arrived.releaseAll();
        leaving.releaseAll();
    }

    /** What the device takes, as fast as its link is. */
    private final class Ring implements Egress {
        @Override
        public Frame pollTransmit(long nowNanos) {
            return leaving.poll();
        }

        @Override
        public long nextTransmitNanos(long nowNanos) {
            return leaving.peek() == null ? Deadline.NO_DEADLINE : nowNanos;
        }
    }
}
