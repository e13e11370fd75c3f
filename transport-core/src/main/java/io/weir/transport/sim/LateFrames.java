package io.weir.transport.sim;

import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FramePool;
import io.weir.transport.time.Deadline;
import io.weir.transport.time.DeadlineHeap;

/**
 * The frames on a link that has a fault, each with its own arrival time; equal times in the order of their
 * coming. All are of one pool. O(log n) a frame; nothing is allocated once the pool's frames have all been here.
 */
final class LateFrames {
    private final DeadlineHeap arrivals = new DeadlineHeap(64);
    private FramePool pool;

    /** Takes a frame that arrives at {@code atNanos}. */
    void add(Frame frame, long atNanos) {
        pool = frame.pool();
        arrivals.schedule(frame.index(), atNanos);
    }

    /** {@return a frame that has arrived, now the caller's, or null} */
    Frame poll(long nowNanos) {
        int index = arrivals.pollDue(nowNanos);
        return index < 0 ? null : pool.frame(index);
    }

    /** {@return when the next frame arrives, or NO_DEADLINE} */
    long nextNanos() {
        return arrivals.peekDeadline();
    }

    int frameCount() {
        return arrivals.size();
    }

    /** Returns every frame to its pool. */
    void releaseAll() {
        for (Frame frame = poll(Deadline.NO_DEADLINE - 1); frame != null; frame = poll(Deadline.NO_DEADLINE - 1)) {
            frame.release();
        }
    }
}
