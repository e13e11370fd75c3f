package io.weir.transport.runtime;

/**
 * Judges from the time that a loop lost whether threads that compute leave it no core, for {@link BackOff}.
 *
 * <p>What counts is how much of the time is lost, and for how long. A compiler's thread passes by, and giving way to it
 * would cost each round trip more than it takes. A loop that shares its core with a computing thread while other cores
 * have only loops belongs there; the scheduler does not see that, since to it a loop that polls computes too. Only
 * where every core has a thread that computes does a polling loop go on losing most of its time. So lost time adds up,
 * and calm time wears it off at half its speed. At {@value #MOVE_NANOS} ns the loop is to move to another core. At
 * {@value #LOST_NANOS_MAX} ns its core counts as shared for a while, after which the reckoning starts from zero. That
 * while doubles when nearly all of the time since the last one was lost.
 *
 * <p>Times are the loop's. Sleeping with nothing to do tells nothing about the core, and does not count.
 */
final class CoreShare {
    /** Two slices of a thread that computes. */
    static final long MOVE_NANOS = 8_000_000;
    /** Some fifteen slices: a loop that has moved has found out by then whether it is better off. */
    static final long LOST_NANOS_MAX = 50_000_000;
    /** A loop that loses less than a third of its time goes on polling. */
    private static final int CALM_PER_LOST = 2;

    private static final long CROWDED_NANOS_MIN = 10_000_000;
    private static final long CROWDED_NANOS_MAX = 1_000_000_000;
    /** Who loses {@link #LOST_NANOS_MAX} within this time has lost four fifths of it. */
    private static final long LOST_SOON_NANOS = LOST_NANOS_MAX * 5 / 4;

    /** Time lost and not yet worn off, as of {@link #asOfNanos}; less than {@link #LOST_NANOS_MAX}. */
    private long lostNanos;
    /** When the loss was reckoned last, moved on by what the loop slept since. */
    private long asOfNanos;
    /** Until when the core counts as shared. */
    private long crowdedUntilNanos;
    /** {@link #crowdedUntilNanos}, moved on by what the loop slept since. */
    private long pollingSinceNanos;
    /** For how long the core counted as shared last; half of the least before the first time. */
    private long crowdedNanos = CROWDED_NANOS_MIN / 2;
    /** Whether the loop was told to move, and the loss of before has not worn off since. */
    private boolean hasMoved;

    /**
     * Reckons with a loss. What is lost while the core counts as shared is expected, and changes nothing.
     *
     * @param nanos how long the loop was off its core since the last call
     * @param nowNanos the loop's time
     * @return whether the loop's thread is to move to another core
     */
    boolean onLost(long nanos, long nowNanos) {
        if (isCrowded(nowNanos)) {
            return false;
        }
        long calmNanos = Math.max(0, nowNanos - asOfNanos - nanos);
        long leftNanos = Math.max(0, lostNanos - calmNanos / CALM_PER_LOST);
        asOfNanos = nowNanos;
        lostNanos = leftNanos + nanos;
        if (leftNanos == 0) {
            hasMoved = false;
        }
        if (lostNanos >= LOST_NANOS_MAX) {
            giveWay(nowNanos);
            return false;
        }
        boolean isToMove = !hasMoved && lostNanos >= MOVE_NANOS;
        hasMoved |= isToMove;
        return isToMove;
    }

    private void giveWay(long nowNanos) {
        boolean isLostSoon = nowNanos - pollingSinceNanos < LOST_SOON_NANOS;
        crowdedNanos = isLostSoon ? Math.min(CROWDED_NANOS_MAX, 2 * crowdedNanos) : CROWDED_NANOS_MIN;
        crowdedUntilNanos = nowNanos + crowdedNanos;
        pollingSinceNanos = crowdedUntilNanos;
        asOfNanos = crowdedUntilNanos;
        lostNanos = 0;
        hasMoved = false;
    }

    /** The loop slept with nothing to do. */
    void onSlept(long nanos) {
        asOfNanos += nanos;
        pollingSinceNanos += nanos;
    }

    /** {@return whether threads that compute leave the loop no core, as far as it can tell} */
    boolean isCrowded(long nowNanos) {
        return nowNanos < crowdedUntilNanos;
    }
}
