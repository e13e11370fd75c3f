package io.weir.transport.switching;

import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FrameQueue;
import io.weir.transport.protocol.PortPolicy;
import io.weir.transport.time.Deadline;
import io.weir.transport.wire.PassingFrame;

/** Frames that came in by a port and that its policy holds back. They go on in the order in which they came. */
final class HeldFrames {
    private final PortPolicy policy;
    private final FrameQueue queue = new FrameQueue();
    private final PassingFrame passing = new PassingFrame();

    HeldFrames(PortPolicy policy) {
        this.policy = policy;
    }

    /** {@return whether the frame is kept here from now on} */
    boolean offer(Frame frame, long nowNanos) {
        if (!policy.holds(passing.lookAt(frame), queue.frameCount(), nowNanos)) {
            return false;
        }
        frame.setReadyNanos(nowNanos);
        queue.add(frame);
        return true;
    }

    Frame poll(long nowNanos) {
        if (nextNanos() > nowNanos) {
            return null;
        }
        Frame frame = queue.poll();
        policy.onRelease(passing.lookAt(frame), nowNanos);
        return frame;
    }

    /** {@return the next frame before its time, or null} Its policy is not asked any more. */
    Frame pollEarly() {
        return queue.poll();
    }

    long nextNanos() {
        Frame head = queue.peek();
        return head == null ? Deadline.NO_DEADLINE : policy.nextReleaseNanos(head.readyNanos());
    }

    int frameCount() {
        return queue.frameCount();
    }

    void releaseAll() {
        queue.releaseAll();
    }
}
