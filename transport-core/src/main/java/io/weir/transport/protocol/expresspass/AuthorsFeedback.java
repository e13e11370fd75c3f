package io.weir.transport.protocol.expresspass;

import io.weir.pacer.RateMath;
import io.weir.transport.protocol.credit.FeedbackControl;

/**
 * The rule of the authors' released simulator, which differs from Algorithm 1 in five ways: the target shrinks as the
 * rate nears its maximum, a cut goes to the rate that actually passed, an increase lacks the factor of the target and
 * needs a second period without loss before w rises by a constant, and the rate never falls below one credit a round
 * trip.
 *
 * <p>Source: docs/protocols/expresspass.md, "The authors' rule".
 */
final class AuthorsFeedback implements FeedbackControl {
    private final FeedbackConfig.Authors config;
    private final double rateMaxBps;
    private final double costNanobits;
    private double rateBps;
    private double aggressiveness;
    private boolean mayRaiseAggressiveness;

    AuthorsFeedback(FeedbackConfig.Authors config, long rateMaxBps, int costBytes, double initialRateFraction) {
        this.config = config;
        this.rateMaxBps = rateMaxBps;
        this.costNanobits = RateMath.nanobits(costBytes);
        aggressiveness = config.aggressivenessInitial();
        rateBps = rateMaxBps * initialRateFraction;
    }

    @Override
    public long rateBps() {
        return Math.max(1, (long) rateBps);
    }

    @Override
    public void onPeriod(int total, int lost, long periodNanos, long rttNanos) {
        double loss = (double) lost / total;
        double target = (1 - rateBps / rateMaxBps) * config.targetLossFraction();
        double oneCreditBps = costNanobits / rttNanos;
        if (loss > target) {
            double passedBps = costNanobits / periodNanos * (total - lost) * (1 + target);
            rateBps = Math.min(rateBps, passedBps);
            aggressiveness = Math.max(aggressiveness / 2, config.aggressivenessMin());
            mayRaiseAggressiveness = false;
        } else {
            raiseAggressiveness();
            rateBps = aggressiveness * rateMaxBps + (1 - aggressiveness) * rateBps;
        }
        rateBps = Math.max(Math.min(rateBps, rateMaxBps), oneCreditBps);
    }

    private void raiseAggressiveness() {
        if (mayRaiseAggressiveness) {
            aggressiveness = Math.min(aggressiveness + config.aggressivenessStep(), config.aggressivenessMax());
        }
        mayRaiseAggressiveness = true;
    }
}
