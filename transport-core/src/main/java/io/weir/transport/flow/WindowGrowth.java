package io.weir.transport.flow;

import io.weir.pacer.RateMath;

/**
 * Finds when a receive window is what limits a stream: the application has read more than half of it in a round trip
 * with the pauses of both hosts. Twice what is read in that time is what lets a sender go on although an answer is late
 * by as much.
 *
 * <p>Belongs to a stream's receiver; O(1), no allocation. Source: Fisk and Feng, "Dynamic Right-Sizing in TCP" (LACSI
 * 2001), section 3. Deviation: pauses of hosts count as part of the round trip.
 */
public final class WindowGrowth {
    /**
     * What both hosts' pauses are taken for at least: a window grows too late once a host has paused. A time slice of a
     * Linux scheduler whose cores are shared, 4 ms.
     */
    public static final long PAUSE_NANOS_ASSUMED = 4_000_000L;

    private final long linkRateBps;
    /** Of both hosts together, in nanoseconds. */
    private long pausesNanos = PAUSE_NANOS_ASSUMED;
    /** When the measurement under way started. */
    private long startNanos;
    /** What had been read then. */
    private long startOffset;

    /** Creates the rule for a stream that comes by a link of {@code linkRateBps}. */
    public WindowGrowth(long linkRateBps, long nowNanos) {
        this.linkRateBps = linkRateBps;
        this.startNanos = nowNanos;
    }

    /** Sets for how long each host is off its core at times, as far as is known. */
    public void setPauses(long ownNanos, long peerNanos) {
        pausesNanos = Math.max(PAUSE_NANOS_ASSUMED, ownNanos + peerNanos);
    }

    /**
     * {@return whether the window should double}
     *
     * @param limitBytes the window
     * @param readOffset what has been read of the stream
     * @param roundTripNanos the round trip without pauses, as far as it is known
     */
    public boolean isLimiting(int limitBytes, long readOffset, long roundTripNanos, long nowNanos) {
        long intervalNanos = roundTripNanos + pausesNanos;
        boolean isOver = nowNanos - startNanos > intervalNanos;
        boolean isLimiting = !isOver
                && readOffset - startOffset > limitBytes / 2
                && limitBytes < RateMath.bytesInNanosFloor(intervalNanos, linkRateBps);
        if (isOver || isLimiting) {
            startNanos = nowNanos;
            startOffset = readOffset;
        }
        return isLimiting;
    }
}
