package io.weir.transport.protocol.expresspass;

import io.weir.pacer.RateMath;

/**
 * The default rule: the credit rate is a fixed, falling function of the loss that the flow sees.
 *
 * <pre>
 *   rate = (1 + overshoot) x highest x delivered ^ sensitivity
 * </pre>
 *
 * where {@code delivered} is the smoothed fraction of credits that got through. Loss is a price that all flows of a
 * bottleneck pay alike, so all come to the same rate, whatever they had before; there is no history to be unfair by. N
 * flows settle where N x rate x delivered is what the link passes, at a loss of 1 - ((1 + overshoot) x N)^(-1/(sensitivity
 * + 1)), and the link stays full because that is always more credits than it passes.
 *
 * <p>Deviation from ExpressPass's Algorithm 1, with the figures and the reason in docs/protocols/expresspass.md: the
 * algorithm's rates depend on when each flow last increased, and its losses are punished twice.
 */
final class LossPriceFeedback implements FeedbackControl {
    /** The lowest rate: one credit in so many of the shortest update periods. */
    private static final int PERIODS_PER_CREDIT_MAX = 64;

    private final FeedbackConfig.LossPrice config;
    private final double rateCeilingBps;
    private final double costNanobits;
    private long periodNanosMin = Long.MAX_VALUE;
    private double delivered;

    LossPriceFeedback(FeedbackConfig.LossPrice config, long rateMaxBps, int costBytes, double initialRateFraction) {
        this.config = config;
        this.costNanobits = RateMath.nanobits(costBytes);
        this.rateCeilingBps = rateMaxBps * (1 + config.overshootFraction());
        this.delivered =
                StrictMath.pow(initialRateFraction / (1 + config.overshootFraction()), 1.0 / config.sensitivity());
    }

    @Override
    public long rateBps() {
        double rateBps = rateCeilingBps;
        for (int i = 0; i < config.sensitivity(); i++) {
            rateBps *= delivered;
        }
        // A flow that lost nearly all of its credits would wait for hours before it could learn that the loss is over.
        double floorBps = costNanobits / ((double) PERIODS_PER_CREDIT_MAX * periodNanosMin);
        return Math.max(1, (long) Math.max(rateBps, floorBps));
    }

    @Override
    public void onPeriod(int total, int lost, long periodNanos, long rttNanos) {
        periodNanosMin = Math.min(periodNanosMin, periodNanos);
        double weight = config.gainPerRtt() * Math.min(1, (double) total / config.samplesMin());
        delivered += weight * ((double) (total - lost) / total - delivered);
    }

    @Override
    public boolean countsOnlyCurrentRate() {
        return false;
    }

    @Override
    public boolean countsWasteAsLoss() {
        return false;
    }
}
