package io.weir.transport.protocol.reactive.tfc;

/**
 * The least of what was measured in the latest time window and the one before: one port's round-trip time without queues. It falls at
 * once, and has risen to a longer path's after two windows at most. O(1).
 *
 * <p>Source: TFC section 4.4, and section 6.1.2, where it is the least of a second. The minimum of all time, which section 5.2 prints,
 * would never rise. A window in which nothing was measured changes nothing.
 */
final class WindowedMinimum {
    private static final long NONE = Long.MAX_VALUE;

    private final long windowNanos;
    private long initialNanos;
    private long windowEndNanos = NONE;
    private long beforeNanos = NONE;
    private long currentNanos = NONE;

    WindowedMinimum(long initialNanos, long windowNanos) {
        this.initialNanos = initialNanos;
        this.windowNanos = windowNanos;
    }

    void onSample(long nanos, long nowNanos) {
        if (windowEndNanos == NONE) {
            windowEndNanos = nowNanos + windowNanos;
        } else if (nowNanos >= windowEndNanos) {
            beforeNanos = currentNanos;
            currentNanos = NONE;
            windowEndNanos = nowNanos + windowNanos;
        }
        currentNanos = Math.min(currentNanos, nanos);
    }

    /** {@return the minimum, or what was taken for it at first} */
    long nanos() {
        long nanos = Math.min(beforeNanos, currentNanos);
        return nanos == NONE ? initialNanos : nanos;
    }
}
