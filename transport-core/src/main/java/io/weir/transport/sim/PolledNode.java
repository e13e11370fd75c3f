package io.weir.transport.sim;

import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FrameQueue;
import io.weir.transport.node.Egress;
import io.weir.transport.node.ForwardingNode;
import io.weir.transport.node.Node;
import io.weir.transport.time.Deadline;

/**
 * A Node of one port whose driver looks at it now and then, as a loop does: what has come waits in a ring until then,
 * what may leave is handed to another ring, and all of it has the time of the poll. Without it a simulated Node is as
 * prompt as no loop is.
 *
 * <p>Who uses it closes it, for the frames in its rings.
 */
public final class PolledNode extends ForwardingNode {
    /** As many frames as a ring of a device has room for. */
    private static final int RING_FRAMES = 1024;

    private final Node node;
    private final ReceiveDelay interval;
    private final ReceiveDelay handover;
    private final boolean stampsArrivals;
    private final FrameQueue arrived = new FrameQueue();
    /** What earlier looks took: the device's. */
    private final FrameQueue leaving = new FrameQueue();
    /** What the latest look took: the device's from {@link #handedNanos} on. */
    private final FrameQueue taken = new FrameQueue();

    private final Egress egress = new Ring();
    /** When the Node is looked at next. */
    private long pollNanos;
    /** When what the latest look took is the device's; in the past once {@link #pollNanos} has come. */
    private long handedNanos;
    /** Whether the Node is to be told of that. */
    private boolean isHandoverUntold;

    private long framesLost;

    /** Creates a Node that is looked at once each {@code interval}; what it sends is the device's at once. */
    public PolledNode(Node node, ReceiveDelay interval) {
        this(node, interval, ReceiveDelay.NONE, false);
    }

    /**
     * Creates a Node that is looked at {@code interval} after what it sent at the look before was handed over.
     *
     * @param handover how long it takes until all that a look has taken is the device's; then the Node is told
     * @param stampsArrivals whether frames that come bear the time at which they came
     */
    public PolledNode(Node node, ReceiveDelay interval, ReceiveDelay handover, boolean stampsArrivals) {
        this.node = node;
        this.interval = interval;
        this.handover = handover;
        this.stampsArrivals = stampsArrivals;
    }

    @Override
    public void onFrame(int portIndex, Frame frame, long nowNanos) {
        if (arrived.frameCount() == RING_FRAMES) {
            framesLost++;
            frame.release();
        } else {
            if (stampsArrivals) {
                frame.setStampNanos(nowNanos);
            }
            arrived.add(frame);
        }
    }

    @Override
    public void onTimeout(long nowNanos) {
        if (nowNanos < pollNanos) {
            return;
        }
        if (isHandoverUntold) {
            isHandoverUntold = false;
            node.onFlushed(0, handedNanos);
        }
        for (Frame frame = arrived.poll(); frame != null; frame = arrived.poll()) {
            node.onFrame(0, frame, nowNanos);
        }
        if (node.nextTimeoutNanos() <= nowNanos) {
            node.onTimeout(nowNanos);
        }
        boolean hasSent = transmit(nowNanos);
        handedNanos = nowNanos + (hasSent ? handover.nextNanos() : 0);
        isHandoverUntold = hasSent && handover != ReceiveDelay.NONE;
        pollNanos = handedNanos + Math.max(1, interval.nextNanos());
    }

    private boolean transmit(long nowNanos) {
        for (Frame frame = taken.poll(); frame != null; frame = taken.poll()) {
            leaving.add(frame);
        }
        while (leaving.frameCount() + taken.frameCount() < RING_FRAMES) {
            Frame frame = node.egress(0).pollTransmit(nowNanos);
            if (frame == null) {
                break;
            }
            taken.add(frame);
        }
        return taken.peek() != null;
    }

    @Override
    public long nextTimeoutNanos() {
        return pollNanos;
    }

    @Override
    protected Node node() {
        return node;
    }

    @Override
    protected Egress egress() {
        return egress;
    }

    /** {@return frames that came when its ring was full} */
    public long framesLost() {
        return framesLost;
    }

    /** Returns the frames of its rings to their pool. */
    public void close() {
        arrived.releaseAll();
        leaving.releaseAll();
        taken.releaseAll();
    }

    /** What the device takes, as fast as its link is. */
    private final class Ring implements Egress {
        @Override
        public Frame pollTransmit(long nowNanos) {
            Frame frame = leaving.poll();
            return frame == null && nowNanos >= handedNanos ? taken.poll() : frame;
        }

        @Override
        public long nextTransmitNanos(long nowNanos) {
            if (leaving.peek() != null) {
                return nowNanos;
            }
            return taken.peek() == null ? Deadline.NO_DEADLINE : Math.max(handedNanos, nowNanos);
        }
    }
}
