package io.weir.transport.switching;

import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FrameQueue;
import io.weir.transport.time.Deadline;

/** Frames on a modelled link, each until its time has come. They leave in the order in which they entered. */
final class DelayLine {
    private final FrameQueue queue = new FrameQueue();

    void add(Frame frame, long dueNanos) {
        frame.setReadyNanos(dueNanos);
        queue.add(frame);
    }

    Frame poll(long nowNanos) {
        Frame head = queue.peek();
        return head == null || head.readyNanos() > nowNanos ? null : queue.poll();
    }

    long nextNanos() {
        Frame head = queue.peek();
        return head == null ? Deadline.NO_DEADLINE : head.readyNanos();
    }

    long wireBytes() {
        return queue.wireBytes();
    }

    int frameCount() {
        return queue.frameCount();
    }

    void releaseAll() {
        queue.releaseAll();
    }
}
