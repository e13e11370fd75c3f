package io.weir.transport.protocol.expresspass;

/**
 * Raises the rate of a flow above what its smoothed loss allows, while nothing is lost: rivals that leave, or pause,
 * show in no other way, and the smoothed loss falls over some forty round trips. One per flow, receiver side; O(1) per
 * period; no allocation.
 *
 * <p>A trial begins when a run of credits without loss is too improbable at the smoothed loss. It closes a part of the
 * distance to the highest rate, a larger part of what is left in the next period, and ends with the first loss. How
 * improbable the run must be is learnt: next to rivals that stay, trials fail and become rare; next to rivals that
 * pause, they succeed and begin within two round trips.
 */
final class RateTrial {
    /** How improbable the first run must be, as the logarithm of one over its probability. */
    private static final double PROOF_FIRST = 2;
    /** The least and the most that is asked for. */
    private static final double PROOF_MIN = 0.7;

    private static final double PROOF_MAX = 5;
    /** What is asked for rises by this factor when a trial fails. */
    private static final double FAILURE_FACTOR = 1.5;
    /** And falls by this one when a trial succeeds. */
    private static final double SUCCESS_DIVISOR = 2;
    /** Per period what is asked for falls by this factor, down to {@link #PROOF_FIRST}: rivals change their ways. */
    private static final double PERIOD_FACTOR = 0.998;
    /** A shorter run proves nothing: where most credits are lost, two that are not would already be improbable. */
    private static final int RUN_CREDITS_MIN = 8;
    /** The first step closes this part of the distance to the highest rate. */
    private static final double STEP_FIRST = 1.0 / 3;
    /** Later steps are twice the one before, up to this. */
    private static final double STEP_MAX = 0.5;
    /**
     * A flow with more of the link gains little, and takes it from flows that cross several links and lose at each.
     */
    static final double USUAL_FRACTION_MAX = 0.6;
    /** Credits of a raised rate are echoed a period later. One such period without loss is a success. */
    private static final int SUCCESS_PERIODS = 2;

    /** The raised rate, as a share of the highest; 0 while there is no trial. */
    private double fraction;
    /** The latest step's part of the distance to the highest rate; meaningless without a trial. */
    private double step;
    /** Periods without loss since the trial began; meaningless without one. */
    private int periods;
    /** Credits of the run without loss so far. */
    private int runCredits;
    /** How improbable that run is by now: the sum of the losses that were to be expected. */
    private double runProof;
    /** What {@link #runProof} must reach; written when a trial ends and by {@link #forget}. */
    private double proofNeeded = PROOF_FIRST;
    /** Whether the period that comes next has credits of a trial that is over. */
    private boolean isAftermath;

    /** {@return the raised rate as a share of the highest, or 0 without a trial} */
    double fraction() {
        return fraction;
    }

    /**
     * A period ends in which credits were lost.
     *
     * @return whether the loss is that of a trial's own credits, and tells nothing of the usual rate
     */
    boolean onLoss() {
        forget();
        boolean wasAftermath = isAftermath;
        isAftermath = fraction > 0 && periods > 0;
        if (isAftermath) {
            learn(periods >= SUCCESS_PERIODS);
        }
        endRun();
        return wasAftermath || isAftermath;
    }

    private void forget() {
        if (proofNeeded > PROOF_FIRST) {
            proofNeeded = Math.max(PROOF_FIRST, proofNeeded * PERIOD_FACTOR);
        }
    }

    private void learn(boolean isSuccess) {
        proofNeeded = isSuccess
                ? Math.max(PROOF_MIN, proofNeeded / SUCCESS_DIVISOR)
                : Math.min(PROOF_MAX, proofNeeded * FAILURE_FACTOR);
    }

    private void endRun() {
        fraction = 0;
        runCredits = 0;
        runProof = 0;
    }

    /**
     * A period ends in which no credit was lost.
     *
     * @param total its credits
     * @param lossExpected the share that the smoothed loss let expect
     * @param usualFraction the rate that the smoothed loss allows now, as a share of the highest
     * @return whether the period tells of the usual rate
     */
    boolean onNoLoss(int total, double lossExpected, double usualFraction) {
        forget();
        if (isAftermath) {
            isAftermath = false;
            return false;
        }
        runCredits = (int) Math.min(Integer.MAX_VALUE, (long) runCredits + total);
        runProof += total * lossExpected;
        if (fraction > 0) {
            periods++;
            step = Math.min(STEP_MAX, 2 * step);
            raise(Math.max(fraction, usualFraction));
        } else if (runCredits >= RUN_CREDITS_MIN && runProof >= proofNeeded && usualFraction < USUAL_FRACTION_MAX) {
            periods = 0;
            step = STEP_FIRST;
            raise(usualFraction);
        }
        return true;
    }

    private void raise(double from) {
        fraction = from + step * (1 - from);
    }
}
