package io.weir.transport.protocol.credit;

/**
 * How fast a receiver may make credits so that its sender can use them: no limit until the sender says that credits
 * came faster than it could use them. One instance per flow, receiver side; O(1); no allocation.
 *
 * <p>A sender keeps some credits in hand, so that it misses none while the limit is a little below what it can use. The
 * limit makes use of that: after a window of time in which credits were surplus it goes to just below the rate at which
 * credits were used, and the hand drains. In windows without any it rises to just above that rate, and no further: the
 * hand hides for long that more is made than is used. A sender that can use more does so, and the limit follows by a
 * sixteenth per window. After some time without surplus the limit rises by itself, until it limits nothing.
 *
 * <p>The rate of use is the highest of the windows of the latest 32 to 64 ms, since one in which either end lost its
 * core tells little, and an end that does so often is to go on at its full rate in between. Windows are longer than the
 * bursts in which a late end sends.
 *
 * <p>Credits that found nothing to send are no reason to slow down, nor are those that a pause of the sender made too
 * old: neither tells how fast it is while it runs. A sender that lies slows its own stream, or pays for it with its own
 * time.
 */
final class UseRate {
    /** No limit. */
    static final long UNLIMITED = Long.MAX_VALUE;

    /** A window lasts for a round trip, and at least for this long. */
    static final long WINDOW_NANOS_MIN = 1_000_000;

    /** So many windows share one of the two highest rates that are remembered. */
    private static final int WINDOWS_PER_EPOCH = 32;
    /** Of so many credits one may be surplus: credits come unevenly. */
    private static final int SURPLUS_SHARE = 64;
    /**
     * The limit is below the rate of use by this part of it after there was surplus, and above it by as much when there
     * was none.
     */
    private static final int MARGIN_PART = 16;
    /** After so many windows without surplus the limit rises by itself. */
    private static final int QUIET_WINDOWS = 32;
    /** It rises by this part of it then. */
    private static final int RISE_PART = 4;

    private final long costNanobits;
    /** The limit in credited bit/s, or {@link #UNLIMITED}. */
    private long limitBps = UNLIMITED;
    /** Windows since the latest with surplus. */
    private int quietWindows;
    /** When the current window began; meaningless before the first echo. */
    private long windowStartNanos;
    /** Credits that the current window has seen used. */
    private long usedCount;
    /** Credits of which the current window was told that they were surplus. */
    private long surplusCount;
    /** The highest rate of use in this epoch so far, in credited bit/s. */
    private long useBpsMax;
    /** The highest of the epoch before. */
    private long useBpsMaxBefore;
    /** Windows of this epoch that are over. */
    private int windowCount;

    /**
     * Creates no limit.
     *
     * @param costNanobits what a credit and its frame are on the link
     */
    UseRate(long costNanobits) {
        this.costNanobits = costNanobits;
    }

    /** The flow begins, or begins again after it was idle: what was used before tells nothing of now. */
    void restart(long nowNanos) {
        windowStartNanos = nowNanos;
        usedCount = 0;
        surplusCount = 0;
    }

    /** Data came for a credit, and said that {@code newSurplus} others had come too fast. */
    void onEcho(long newSurplus) {
        usedCount++;
        surplusCount += newSurplus;
    }

    /**
     * Ends the current window if it is long enough.
     *
     * @param rateBps the rate of credits without this limit
     * @return whether the limit has changed
     */
    boolean onTime(long rateBps, long rttNanos, long nowNanos) {
        long elapsedNanos = nowNanos - windowStartNanos;
        if (elapsedNanos < Math.max(WINDOW_NANOS_MIN, rttNanos)) {
            return false;
        }
        long before = limitBps;
        noteUse(usedCount * costNanobits / elapsedNanos);
        if (surplusCount * SURPLUS_SHARE > usedCount + surplusCount) {
            lower(rateBps);
        } else if (limitBps != UNLIMITED) {
            raise(rateBps);
        }
        restart(nowNanos);
        return limitBps != before;
    }

    private void lower(long rateBps) {
        quietWindows = 0;
        long usedBps = Math.max(useBpsMax, useBpsMaxBefore);
        limitBps = Math.max(1, Math.min(Math.min(limitBps, rateBps), usedBps - usedBps / MARGIN_PART));
    }

    private void raise(long rateBps) {
        long usedBps = Math.max(useBpsMax, useBpsMaxBefore);
        limitBps = Math.max(limitBps, usedBps + usedBps / MARGIN_PART);
        quietWindows++;
        if (quietWindows > QUIET_WINDOWS) {
            limitBps += limitBps / RISE_PART + 1;
        }
        if (limitBps >= rateBps) {
            limitBps = UNLIMITED;
        }
    }

    private void noteUse(long useBps) {
        useBpsMax = Math.max(useBpsMax, useBps);
        if (++windowCount == WINDOWS_PER_EPOCH) {
            windowCount = 0;
            useBpsMaxBefore = useBpsMax;
            useBpsMax = useBps;
        }
    }

    /** {@return the most credited bit/s at which to make credits, or {@link #UNLIMITED}} */
    long limitBps() {
        return limitBps;
    }
}
