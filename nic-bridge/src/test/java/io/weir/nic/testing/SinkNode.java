package io.weir.nic.testing;

import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FrameQueue;
import io.weir.transport.node.UntimedNode;

/** A Node that keeps the frames it is handed, in order. */
public final class SinkNode implements UntimedNode {
    private final FrameQueue frames = new FrameQueue();
    private long frameCount;
    private long lastMark;

    @Override
    public void onFrame(int portIndex, Frame frame, long nowNanos) {
        lastMark = frame.length() < UdpFrames.HEADER_BYTES + Long.BYTES ? -1 : UdpFrames.mark(frame);
        frames.add(frame);
        frameCount++;
    }

    /** {@return the oldest frame kept, now the caller's, or null} */
    public Frame poll() {
        return frames.poll();
    }

    /** {@return how many frames were ever handed over} */
    public long frameCount() {
        return frameCount;
    }

    /** {@return the mark of the youngest frame, or -1 when it is too short to have one} */
    public long lastMark() {
        return lastMark;
    }

    /** Gives all frames kept back to their pool. */
    public void releaseAll() {
        frames.releaseAll();
    }
}
