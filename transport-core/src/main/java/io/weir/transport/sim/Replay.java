package io.weir.transport.sim;

import io.weir.pacer.SeededRandom;
import io.weir.transport.frame.Frame;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Copies of a few frames that have passed, some of them long ago, which come again. The copies are in separate memory:
 * they take no frames from the network until they come.
 */
final class Replay {
    private static final int MEMORY_FRAMES = 16;
    private static final int KEEP_PPM = 250_000;

    private final long fromNanos;
    private final long untilNanos;
    private final int ppm;
    private final SeededRandom random;
    private final UnsafeBuffer[] memory = new UnsafeBuffer[MEMORY_FRAMES];
    private final int[] offsets = new int[MEMORY_FRAMES];
    private final int[] elidedBytes = new int[MEMORY_FRAMES];

    Replay(long fromNanos, long untilNanos, int ppm, SeededRandom random) {
        this.fromNanos = fromNanos;
        this.untilNanos = untilNanos;
        this.ppm = ppm;
        this.random = random;
    }

    /** {@return an old frame that comes together with {@code frame}, now the caller's, or null} */
    Frame onFrame(Frame frame, long nowNanos) {
        if (nowNanos < fromNanos || nowNanos >= untilNanos) {
            return null;
        }
        Frame old = random.chancePpm(ppm) ? recall(frame) : null;
        if (random.chancePpm(KEEP_PPM)) {
            keep(frame);
        }
        return old;
    }

    private void keep(Frame frame) {
        int slot = random.nextInt(MEMORY_FRAMES);
        UnsafeBuffer copy = new UnsafeBuffer(new byte[frame.length()]);
        copy.putBytes(0, frame.buffer(), frame.offset(), frame.length());
        memory[slot] = copy;
        offsets[slot] = frame.offset();
        elidedBytes[slot] = frame.elidedBytes();
    }

    private Frame recall(Frame frame) {
        int slot = random.nextInt(MEMORY_FRAMES);
        Frame old = memory[slot] == null ? null : frame.pool().allocate();
        if (old != null) {
            old.setExtent(offsets[slot], memory[slot].capacity());
            old.setElidedBytes(elidedBytes[slot]);
            old.buffer().putBytes(offsets[slot], memory[slot], 0, memory[slot].capacity());
        }
        return old;
    }
}
