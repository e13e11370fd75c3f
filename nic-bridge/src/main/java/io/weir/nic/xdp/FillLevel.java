package io.weir.nic.xdp;

/**
 * How many frames a queue keeps in the kernel's hands to receive into. The fill ring is first in, first out, and uses
 * all that it has in turn: with 2048 of them each frame comes into memory that the processor's cache has lost. With too
 * few, what comes while the owner is off its core is lost.
 *
 * <p>So it is all of them unless traffic is bulk. Then each quarter of a second in which three eighths would have been
 * enough halves it, and it doubles at once when nearly all of them wait at one poll: a few frames are lost then, and no
 * more afterwards.
 *
 * <p>An owner that is slower than what comes finds the ring full nearly whenever it looks. More frames would only wait
 * longer, so it is halved then too, and does not double.
 *
 * <p>One owner; a few operations per poll, no allocation.
 */
final class FillLevel {
    /** Half a megabyte of small frames; a veth holds as many. */
    static final int FRAMES_MIN = 256;

    static final long WINDOW_NANOS = 250_000_000;
    /** So often at least bulk uses each frame within a window. */
    static final int USES_IN_BULK = 16;

    private static final int PARTS = 8;
    private static final int PARTS_FULL = 7;
    private static final int PARTS_ENOUGH = 3;
    private static final int PARTS_FULL_LOOK = 4;
    /** An owner that is too slow, or its sender, loses its core at times: the ring is empty then. */
    private static final int FULL_PER_EMPTIED = 8;

    private final int framesMin;
    private final int framesMax;
    /** Frames wanted in the kernel's hands, from framesMin to framesMax; written by each poll. */
    private int frames;
    /** The most frames that waited at one poll of this window; written by each poll. */
    private int waitingMax;
    /** Frames taken in this window; written by each poll. */
    private long taken;
    /** What the latest poll left waiting. */
    private int leftWaiting;
    /** Whether the latest poll that found something new found more than half of the frames waiting. */
    private boolean isFull;
    /** Such polls of this window. */
    private long fullLooks;
    /** How often something less followed one of them. */
    private long emptiedCount;
    /** Whether the ring filled up again nearly each time in the latest window; written when it ends. */
    private boolean isOverloaded;
    /** When the window began; written by the poll that ends it. */
    private long windowNanos;

    private FillLevel(int framesMin, int framesMax) {
        this.framesMin = framesMin;
        this.framesMax = framesMax;
        this.frames = framesMax;
    }

    /** {@return one that follows what comes} */
    static FillLevel adaptive(int framesMax) {
        return new FillLevel(Math.min(FRAMES_MIN, framesMax), framesMax);
    }

    /** {@return one that never changes: drivers that do not copy keep frames in the device's own ring} */
    static FillLevel constant(int frames) {
        return new FillLevel(frames, frames);
    }

    /** So many received frames waited when the owner came by, which took so many of them. */
    void onPoll(int waiting, int takenNow, long nowNanos) {
        waitingMax = Math.max(waitingMax, waiting);
        taken += takenNow;
        if (waiting == 0 || waiting != leftWaiting) {
            look(PARTS * waiting > PARTS_FULL_LOOK * frames);
        }
        leftWaiting = waiting - takenNow;
        while (!isOverloaded && frames < framesMax && PARTS * waiting > PARTS_FULL * frames) {
            frames = Math.min(framesMax, 2 * frames);
        }
        if (nowNanos - windowNanos >= WINDOW_NANOS) {
            isOverloaded = fullLooks > FULL_PER_EMPTIED * (emptiedCount + 1);
            if (taken < (long) USES_IN_BULK * frames) {
                frames = framesMax;
            } else if (isOverloaded || PARTS * waitingMax <= PARTS_ENOUGH * frames) {
                frames = Math.max(framesMin, frames / 2);
            }
            waitingMax = 0;
            taken = 0;
            fullLooks = 0;
            emptiedCount = 0;
            windowNanos = nowNanos;
        }
    }

    private void look(boolean isFullNow) {
        if (isFullNow) {
            fullLooks++;
        } else if (isFull) {
            emptiedCount++;
        }
        isFull = isFullNow;
    }

    /** {@return frames wanted in the kernel's hands} */
    int frames() {
        return frames;
    }

    /** {@return frames wanted while the owner does the receive work, so that no more can wait than a veth holds} */
    int framesPolled() {
        return framesMin;
    }

    /** {@return the most frames that the fill ring holds} */
    int framesMax() {
        return framesMax;
    }
}
