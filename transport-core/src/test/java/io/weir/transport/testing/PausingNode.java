package io.weir.transport.testing;

import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FrameQueue;
import io.weir.transport.node.Egress;
import io.weir.transport.node.Node;
import io.weir.transport.time.Deadline;

/** A Node of one port whose driver loses its core at times: frames wait in the rings, time-outs and transmissions too. */
public final class PausingNode implements Node {
    private final Node node;
    private final FrameQueue rings = new FrameQueue();
    private final Egress egress = new PausingEgress();
    private long pausedNanos = Deadline.NO_DEADLINE;
    private long resumeNanos;

    /** Creates a Node that runs. */
    public PausingNode(Node node) {
        this.node = node;
    }

    /** Runs the Node no more before {@code nowNanos + nanos}. */
    public void pause(long nanos, long nowNanos) {
        if (pausedNanos == Deadline.NO_DEADLINE) {
            pausedNanos = nowNanos;
            resumeNanos = nowNanos + nanos;
        }
    }

    private boolean isPaused(long nowNanos) {
        return pausedNanos != Deadline.NO_DEADLINE && nowNanos < resumeNanos;
    }

    private void resume(long nowNanos) {
        if (pausedNanos == Deadline.NO_DEADLINE) {
            return;
        }
        node.onPause(nowNanos - pausedNanos, nowNanos);
        pausedNanos = Deadline.NO_DEADLINE;
        for (Frame frame = rings.poll(); frame != null; frame = rings.poll()) {
            node.onFrame(0, frame, nowNanos);
        }
    }

    @Override
    public void onFrame(int portIndex, Frame frame, long nowNanos) {
        if (isPaused(nowNanos)) {
            rings.add(frame);
        } else {
            resume(nowNanos);
            node.onFrame(portIndex, frame, nowNanos);
        }
    }

    @Override
    public void onTimeout(long nowNanos) {
        if (!isPaused(nowNanos)) {
            resume(nowNanos);
            node.onTimeout(nowNanos);
        }
    }

    @Override
    public long nextTimeoutNanos() {
        return pausedNanos == Deadline.NO_DEADLINE ? node.nextTimeoutNanos() : resumeNanos;
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

    /** Returns every frame that waits to its pool. */
    public void close() {
        rings.releaseAll();
    }

    /** The Node's own egress, silent while the driver is away. */
    private final class PausingEgress implements Egress {
        @Override
        public Frame pollTransmit(long nowNanos) {
            return pausedNanos != Deadline.NO_DEADLINE ? null : node.egress(0).pollTransmit(nowNanos);
        }

        @Override
        public long nextTransmitNanos(long nowNanos) {
            return pausedNanos != Deadline.NO_DEADLINE
                    ? Deadline.NO_DEADLINE
                    : node.egress(0).nextTransmitNanos(nowNanos);
        }
    }
}
