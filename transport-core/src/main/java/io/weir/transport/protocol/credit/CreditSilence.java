package io.weir.transport.protocol.credit;

/**
 * Which of a flow's credits should have been echoed by now: those that were made more than a round trip ago. Looks
 * every half of that time and remembers two looks, so that the newest overdue credit is at most half a round trip older
 * than it must be. One a flow; O(1), no allocation.
 */
final class CreditSilence {
    /** A credit is overdue after a round trip and this part of it. */
    private static final int SLACK_PART = 4;

    /** The number of the next credit at the latest look. Written by {@link #isTimeToLook} and {@link #restart}. */
    private long latestSequence;
    /** The same at the look before. */
    private long earlierSequence;
    /** When the latest look was. */
    private long latestNanos;
    /** The host's own pauses by then: what came meanwhile has not been seen. */
    private long pausedNanos;
    /** The number of the first credit that is not overdue. */
    private long overdueEnd;

    /** Counts from {@code nextSequence} on: what was made before is no concern any more. */
    void restart(long nextSequence, long hostPausedNanos, long nowNanos) {
        latestSequence = nextSequence;
        earlierSequence = nextSequence;
        overdueEnd = nextSequence;
        latestNanos = nowNanos;
        pausedNanos = hostPausedNanos;
    }

    /**
     * {@return whether half a round trip has passed since the latest look; then {@link #overdueEnd} is new}
     *
     * @param hostPausedNanos how long the host has not run altogether
     */
    boolean isTimeToLook(long nextSequence, long rttNanos, long hostPausedNanos, long nowNanos) {
        if (nowNanos - latestNanos < (rttNanos + rttNanos / SLACK_PART) / 2) {
            return false;
        }
        if (hostPausedNanos != pausedNanos) {
            restart(nextSequence, hostPausedNanos, nowNanos);
            return false;
        }
        overdueEnd = earlierSequence;
        earlierSequence = latestSequence;
        latestSequence = nextSequence;
        latestNanos = nowNanos;
        return true;
    }

    /** {@return the number of the first credit that is not overdue} */
    long overdueEnd() {
        return overdueEnd;
    }
}
