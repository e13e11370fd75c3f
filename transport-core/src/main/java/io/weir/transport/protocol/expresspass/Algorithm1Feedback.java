package io.weir.transport.protocol.expresspass;

import io.weir.pacer.RateMath;
import io.weir.transport.protocol.credit.FeedbackControl;

/**
 * Algorithm 1 of the paper: to the letter, or with losses held only against the rate at which their credits were sent.
 *
 * <p>Source: ExpressPass section 3.2, Algorithm 1, read as its text says: within the increasing phase only the line
 * that raises w is conditional.
 *
 * <p>The letter punishes a loss twice: a credit lost before a cut shows as a gap one round trip later, in the period
 * after the cut. {@code currentRateOnly} is the correction: a period counts credits sent since the rate changed, and so
 * lasts until the first of them is echoed.
 */
final class Algorithm1Feedback implements FeedbackControl {
    private final FeedbackConfig.Algorithm1 config;
    private final double rateMaxBps;
    private final double costNanobits;
    private double rateBps;
    private double aggressiveness;
    private boolean wasIncreasing;

    Algorithm1Feedback(FeedbackConfig.Algorithm1 config, long rateMaxBps, int costBytes, double initialRateFraction) {
        this.config = config;
        this.rateMaxBps = rateMaxBps;
        this.costNanobits = RateMath.nanobits(costBytes);
        // = expresspass Algorithm 1, lines 1 and 2
        aggressiveness = config.aggressivenessInitial();
        rateBps = rateMaxBps * initialRateFraction;
    }

    @Override
    public long rateBps() {
        return Math.max(1, (long) rateBps);
    }

    @Override
    public void onPeriod(int total, int lost, long periodNanos, long rttNanos) {
        double loss = (double) lost / total; // = expresspass Algorithm 1, line 4
        double target = config.targetLossFraction();
        if (loss <= target) { // = expresspass Algorithm 1, line 5
            if (wasIncreasing) { // = expresspass Algorithm 1, line 7
                aggressiveness = (aggressiveness + config.aggressivenessMax()) / 2; // = line 8
            }
            rateBps = (1 - aggressiveness) * rateBps + aggressiveness * rateMaxBps * (1 + target); // = line 9
            wasIncreasing = true;
        } else {
            rateBps = rateBps * (1 - loss) * (1 + target); // = expresspass Algorithm 1, line 12
            aggressiveness = Math.max(aggressiveness / 2, config.aggressivenessMin()); // = line 13
            wasIncreasing = false;
        }
        // = deviation: bounds, those of the authors' simulator. A rate of zero (every credit lost) would never be
        // measured again, so it is one credit a round trip at least; and line 9 aims beyond the highest rate, which is
        // the highest.
        rateBps = Math.max(Math.min(rateBps, rateMaxBps), costNanobits / rttNanos);
    }

    @Override
    public boolean countsOnlyCurrentRate() {
        return config.currentRateOnly();
    }

    @Override
    public boolean countsWasteAsLoss() {
        return !config.currentRateOnly();
    }
}
