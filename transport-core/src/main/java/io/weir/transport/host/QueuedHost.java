package io.weir.transport.host;

import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FrameQueue;
import io.weir.transport.node.ConfigException;
import io.weir.transport.node.Egress;
import io.weir.transport.node.ForwardingNode;
import io.weir.transport.node.Node;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.telemetry.Counters;
import io.weir.transport.time.Deadline;
import io.weir.transport.wire.TrafficClass;

/**
 * A host whose frames wait in one queue in front of its link, first in, first out, as in a kernel's device queue and in
 * the papers' simulations. What finds the queue full is dropped. Without it a host's flows take turns at the link, and
 * what they send waits in their connections.
 *
 * <p>The stack has to let frames go as soon as protocols permit them ({@link Stamping#RAW}). Credits that its meter has
 * let through overtake the queue, as at any other port. For virtual time: it takes no pauses.
 *
 * <p>Source: ExpressPass section 6.2 (Figure 17), whose hosts have such a queue of 1,000 frames.
 */
public final class QueuedHost extends ForwardingNode {
    /** The most frames that a queue may be made for. */
    public static final int FRAMES_MAX = 1_000_000;

    private final HostStack stack;
    private final int framesMax;
    private final Counters counters = new Counters();
    private final FrameQueue credits = new FrameQueue();
    private final FrameQueue queue = new FrameQueue();
    private final Egress egress = new QueueEgress();
    /** The most wire bytes that have waited in {@link #queue}. Written by {@link #pull}. */
    private long queueBytesMax;
    /** The time up to which the stack has been asked for frames: it had no more then. Written by {@link #pull}. */
    private long pulledNanos = -1;

    /** Puts a queue of {@code framesMax} frames behind a stack. */
    public QueuedHost(HostStack stack, int framesMax) {
        if (framesMax < 1 || framesMax > FRAMES_MAX) {
            throw new ConfigException("a host's queue of framesMax=" + framesMax + " is outside 1.." + FRAMES_MAX);
        }
        this.stack = stack;
        this.framesMax = framesMax;
    }

    /** Takes all that the stack lets go now. */
    private void pull(long nowNanos) {
        Egress source = stack.egress(0);
        for (Frame frame = source.pollTransmit(nowNanos); frame != null; frame = source.pollTransmit(nowNanos)) {
            if (TrafficClass.of(frame.buffer(), frame.offset(), frame.length()) == TrafficClass.CREDIT) {
                credits.add(frame);
            } else if (queue.frameCount() < framesMax) {
                queue.add(frame);
                queueBytesMax = Math.max(queueBytesMax, queue.wireBytes());
            } else {
                counters.increment(CounterId.DROP_DATA_QUEUE);
                frame.release();
            }
        }
        pulledNanos = nowNanos;
    }

    @Override
    public void onFrame(int portIndex, Frame frame, long nowNanos) {
        stack.onFrame(portIndex, frame, nowNanos);
        pull(nowNanos);
    }

    @Override
    public void onTimeout(long nowNanos) {
        stack.onTimeout(nowNanos);
        pull(nowNanos);
    }

    /** {@return when the stack has something to do, or lets a frame go, which waits here until the link is free} */
    @Override
    public long nextTimeoutNanos() {
        long nowNanos = Math.max(stack.nowNanos(), pulledNanos);
        long nextNanos = stack.egress(0).nextTransmitNanos(nowNanos);
        // It had none at the time of the latest pull: one that says "now" and gives nothing would stop the clock.
        long readyNanos = nextNanos <= pulledNanos ? pulledNanos + 1 : nextNanos;
        return Math.min(stack.nextTimeoutNanos(), readyNanos);
    }

    @Override
    protected Node node() {
        return stack;
    }

    @Override
    protected Egress egress() {
        return egress;
    }

    /** {@return the most wire bytes that have waited in the queue} */
    public long queueBytesMax() {
        return queueBytesMax;
    }

    /** {@return what the queue counts: wire bytes sent, and frames dropped because it was full} */
    public Counters counters() {
        return counters;
    }

    /** Returns every frame that waits to its pool; the stack's own are its own affair. */
    public void close() {
        credits.releaseAll();
        queue.releaseAll();
    }

    /** The link takes frames from the queue. */
    private final class QueueEgress implements Egress {
        @Override
        public Frame pollTransmit(long nowNanos) {
            pull(nowNanos);
            Frame frame = credits.isEmpty() ? queue.poll() : credits.poll();
            if (frame != null) {
                counters.add(CounterId.WIRE_BYTES_SENT, frame.wireBytes());
            }
            return frame;
        }

        @Override
        public long nextTransmitNanos(long nowNanos) {
            return credits.isEmpty() && queue.isEmpty() ? Deadline.NO_DEADLINE : nowNanos;
        }
    }
}
