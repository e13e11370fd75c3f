package io.weir.transport.sim;

import io.weir.transport.frame.FramePool;
import io.weir.transport.frame.FrameQueue;

/** Frames that somebody keeps from a pool for a while, so that it runs dry. */
public final class FrameHoard {
    private final FramePool pool;
    private final FrameQueue frames = new FrameQueue();

    public FrameHoard(FramePool pool) {
        this.pool = pool;
    }

    /** Takes frames until no more than {@code frameCount} are left in the pool. */
    public void takeAllBut(int frameCount) {
        while (pool.available() > frameCount) {
            frames.add(pool.allocate());
        }
    }

    /** {@return frames that are kept} */
    public int framesHeld() {
        return frames.frameCount();
    }

    /** Gives everything back. */
    public void giveBack() {
        frames.releaseAll();
    }
}
