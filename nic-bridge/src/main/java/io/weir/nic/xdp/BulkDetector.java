package io.weir.nic.xdp;

/**
 * Tells bulk traffic to a queue from messages and their answers: many frames in little time, and more of them than this
 * end sends, or several in each poll. Looks at windows of a millisecond.
 *
 * <p>One owner; a few additions per poll, no allocation.
 */
final class BulkDetector {
    static final long WINDOW_NANOS = 1_000_000;
    /** Descriptors per window from which on traffic is bulk: 1.5 Gbps in frames of 1500 B. */
    static final int FRAMES_MIN = 128;
    /** Less than this ends it: so that traffic near the limit does not change twice a window. */
    static final int FRAMES_TO_STAY = 64;
    /** So many windows without bulk end it. */
    static final int WINDOWS_TO_LEAVE = 4;

    private static final int RECEIVED_PER_SENT = 2;
    private static final int FRAMES_PER_POLL = 4;

    // Of the window so far; each poll and each transmitted frame raises them.
    private int received;
    private int pollsWithFrames;
    private int transmitted;
    /** When the window began; moved on by the poll that ends it. */
    private long windowNanos;
    /** Windows without bulk in a row, up to WINDOWS_TO_LEAVE; written at each window's end. */
    private int quietWindows = WINDOWS_TO_LEAVE;

    /** A frame leaves. */
    void onTransmit() {
        transmitted++;
    }

    /**
     * A poll found so many descriptors.
     *
     * @return whether a window has ended with it
     */
    boolean onPoll(int descriptors, long nowNanos) {
        received += descriptors;
        pollsWithFrames += descriptors > 0 ? 1 : 0;
        long elapsedNanos = nowNanos - windowNanos;
        if (elapsedNanos < WINDOW_NANOS) {
            return false;
        }
        quietWindows = isBulk(elapsedNanos) ? 0 : Math.min(quietWindows + 1, WINDOWS_TO_LEAVE);
        received = 0;
        pollsWithFrames = 0;
        transmitted = 0;
        windowNanos = nowNanos;
        return true;
    }

    private boolean isBulk(long elapsedNanos) {
        long framesMin = isOn() ? FRAMES_TO_STAY : FRAMES_MIN;
        // A window is longer where the thread was off its core or slept.
        return received * WINDOW_NANOS >= framesMin * elapsedNanos
                && (received >= RECEIVED_PER_SENT * transmitted || received >= FRAMES_PER_POLL * pollsWithFrames);
    }

    /** {@return whether traffic is bulk, by the windows that have ended} */
    boolean isOn() {
        return quietWindows < WINDOWS_TO_LEAVE;
    }
}
