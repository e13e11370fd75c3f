package io.weir.transport.protocol.credit;

/**
 * How fast a receiver may make credits so that its sender can use them: no limit until the sender says that credits were too old when
 * their turn came. One instance per flow, receiver side; O(1); no allocation.
 *
 * <p>A sender keeps some credits in hand, so that it misses none while the limit is a little below what it can use. The limit makes use
 * of that: after a window of time in which credits expired it goes to just below the rate at which credits were used, and the hand
 * drains; in windows without any it rises, first slowly and then ever faster, until credits expire again or it limits nothing.
 *
 * <p>The rate of use is the highest of the latest windows, since one in which either end lost its core tells little. Windows are long
 * enough to hold the bursts in which a late end sends.
 *
 * <p>Credits that found nothing to send are no reason to slow down: whether the backlog needs credits is another question. A sender that
 * lies about what expired slows its own stream, or pays for it with its own time.
 */
final class UseRate {
    /** No limit. */
    static final long UNLIMITED = Long.MAX_VALUE;

    /** A window lasts for a round trip, and at least for this long. */
    static final long WINDOW_NANOS_MIN = 500_000;

    /** So many windows share one of the two highest rates that are remembered. */
    private static final int WINDOWS_PER_EPOCH = 16;
    /** Of so many credits one may expire: late ones that a pause of a fraction of the credits' lifetime explains. */
    private static final int EXPIRED_SHARE = 64;
    /** The limit is below the rate of use by this part of it after credits have expired. */
    private static final int DRAIN_PART = 16;
    /** The first rise of the limit is this part of it, and each further one twice the one before. */
    private static final int RISE_PART = 64;
    /** The largest rise. */
    private static final int RISE_PART_MIN = 4;

    private final long costNanobits;
    /** The limit in credited bit/s, or {@link #UNLIMITED}. */
    private long limitBps = UNLIMITED;
    /** Which part of the limit the next rise is; set back by every window in which credits expired. */
    private int risePart = RISE_PART;
    /** When the current window began; meaningless before the first echo. */
    private long windowStartNanos;
    /** Credits that the current window has seen used. */
    private long usedCount;
    /** Credits that the current window has seen expired. */
    private long expiredCount;
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
        expiredCount = 0;
    }

    /** Data came for a credit, and said that {@code newlyExpired} others were too old. */
    void onEcho(long newlyExpired) {
        usedCount++;
        expiredCount += newlyExpired;
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
        if (expiredCount * EXPIRED_SHARE > usedCount + expiredCount) {
            risePart = RISE_PART;
            long usedBps = Math.max(useBpsMax, useBpsMaxBefore);
            limitBps = Math.max(1, Math.min(Math.min(limitBps, rateBps), usedBps - usedBps / DRAIN_PART));
        } else if (limitBps != UNLIMITED) {
            limitBps += limitBps / risePart + 1;
            risePart = Math.max(RISE_PART_MIN, risePart / 2);
            limitBps = limitBps >= rateBps ? UNLIMITED : limitBps;
        }
        restart(nowNanos);
        return limitBps != before;
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
