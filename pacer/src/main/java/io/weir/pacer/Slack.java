package io.weir.pacer;

/**
 * How far a driver's coarse polling may shift departures. In virtual time both are zero: a driver is never late, and
 * asks at every nanosecond at which something may leave.
 *
 * @param catchUpNanos how far a pacer or link that is polled late may make up for it
 * @param aheadNanos how far ahead of a link's time frames may be let go, so that a short one does not hold up the next
 *     until the next poll
 */
public record Slack(long catchUpNanos, long aheadNanos) {
    /** Virtual time. */
    public static final Slack NONE = new Slack(0, 0);

    /** A loop that polls every few microseconds and now and then loses some tens. */
    public static final Slack LIVE = new Slack(50_000, 2_000);

    public Slack {
        if (catchUpNanos < 0 || aheadNanos < 0) {
            throw new IllegalArgumentException(
                    "catchUpNanos=" + catchUpNanos + " and aheadNanos=" + aheadNanos + " must not be negative");
        }
    }
}
