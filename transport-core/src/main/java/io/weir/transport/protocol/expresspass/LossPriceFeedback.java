package io.weir.transport.protocol.expresspass;

import io.weir.pacer.RateMath;
import io.weir.transport.protocol.credit.FeedbackControl;

/**
 * The default rule: the credit rate is a fixed, falling function of the loss that the flow sees.
 *
 * <pre>
 *   rate = (1 + overshoot) x highest x delivered ^ sensitivity / (1 + steepness x (1 - delivered))
 * </pre>
 *
 * where {@code delivered} is the smoothed fraction of credits that got through. Loss is a price that all flows of a
 * bottleneck pay alike, so all come to the same rate, whatever they had before; there is no history to be unfair by. N
 * flows settle where N x rate x delivered is what the link passes, and the link stays full because that is always more
 * credits than it passes.
 *
 * <p>A relative error of {@code delivered} becomes one of the rate, times the elasticity: sensitivity + steepness where
 * nothing is lost, little more than the sensitivity where most is. Where little is lost, little can be mismeasured, and
 * a steep price keeps lost what credits take from other links on their way; where much is lost, a flat price keeps what
 * is mismeasured from becoming unfairness.
 *
 * <p>When rivals leave, nothing is lost any more, and the smoothed loss alone would fall too slowly to fill the link
 * again. So a run of credits without loss that would be improbable at the smoothed loss bounds it: n in a row have the
 * probability delivered ^ n.
 *
 * <p>Deviation from ExpressPass's Algorithm 1, with the figures and the reason in docs/protocols/expresspass.md: the
 * algorithm's rates depend on when each flow last increased, and its losses are punished twice.
 */
final class LossPriceFeedback implements FeedbackControl {
    /** The lowest rate: one credit in so many of the shortest update periods. */
    private static final int PERIODS_PER_CREDIT_MAX = 64;

    /**
     * How improbable a run of credits without loss must be before it proves that the loss is less than the smoothed
     * one: e to the power of minus so much.
     */
    private static final double RUN_PROOF = 4;

    /**
     * A shorter run proves nothing: where most credits are lost, two in a row that are not would already be improbable.
     */
    private static final int RUN_CREDITS_MIN = 16;

    /**
     * A wire that loses more is broken: what is lost beyond this lowers the rate. It bounds what a peer gains that
     * leaves numbers out.
     */
    private static final double ARRIVED_MIN = 0.9;

    /** Where so much of a host's credits is lost, its next flow's first rate is half of the highest. */
    private static final double HALVING_LOSS = 0.2;
    /** No loss of a host's other flows makes a first rate lower, as a share of the highest. */
    private static final double FIRST_FRACTION_MIN = 0.15;

    /** Until so many credits came back, a flow counts as lost what should have come back by now. */
    private static final int YOUNG_ECHOES = 32;

    /** As many as a double has bits of precision. */
    private static final int HALVINGS = 53;

    /** More than what the rounding of two doubles near one may add up to. */
    private static final double ROUNDING = 1e-15;

    private final FeedbackConfig.LossPrice config;
    private final double rateCeilingBps;
    private final double costNanobits;
    private long periodNanosMin = Long.MAX_VALUE;
    /** The smoothed fraction of credits that came back as data. */
    private double delivered;
    /**
     * The smoothed fraction of the sender's frames that arrived, whatever let them go; at least {@link #ARRIVED_MIN}.
     */
    private double arrived = 1;
    /** The same of the period that ends. */
    private double arrivedNow = 1;

    private long runCredits;
    /** Credits that came back since the flow began; written by {@link #onPeriod}. */
    private long echoes;
    /** Whether the flow began with a backlog that is not short; written by {@link #onFirstBacklog}. */
    private boolean isLong;

    LossPriceFeedback(FeedbackConfig.LossPrice config, long rateMaxBps, int costBytes, double initialRateFraction) {
        this.config = config;
        this.costNanobits = RateMath.nanobits(costBytes);
        this.rateCeilingBps = rateMaxBps * (1 + config.overshootFraction());
        this.delivered = deliveredAt(initialRateFraction);
    }

    /** {@return the delivered fraction at which the rate is {@code rateFraction} of the highest} */
    private double deliveredAt(double rateFraction) {
        double low = 0;
        double high = 1;
        for (int i = 0; i < HALVINGS; i++) {
            double middle = (low + high) / 2;
            if (price(middle) * (1 + config.overshootFraction()) < rateFraction) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return high;
    }

    /** {@return the rate at {@code fraction} delivered, as a share of that at 1} */
    private double price(double fraction) {
        double share = 1 / (1 + config.steepness() * (1 - fraction));
        for (int i = 0; i < config.sensitivity(); i++) {
            share *= fraction;
        }
        return share;
    }

    @Override
    public long rateBps() {
        // A flow that lost nearly all of its credits would wait for hours before it could learn that the loss is over.
        double floorBps = costNanobits / ((double) PERIODS_PER_CREDIT_MAX * periodNanosMin);
        return Math.max(1, (long) Math.max(rateCeilingBps * price(passed()), floorBps));
    }

    /**
     * {@return the smoothed fraction of credits that meters let through} The wire takes as many credits as frames of
     * the other direction: of the credits that pass, {@code arrived} reach the sender, and {@code arrived} of its data
     * the receiver.
     */
    private double passed() {
        return Math.min(1, delivered / (arrived * arrived));
    }

    @Override
    public void onFirstBacklog(double hostDelivered) {
        isLong = true;
        double loss = (1 - hostDelivered) / HALVING_LOSS;
        double fraction = Math.max(FIRST_FRACTION_MIN, 1 / (1 + loss * loss * loss));
        if (fraction < 1) {
            delivered = Math.min(delivered, deliveredAt(fraction));
        }
    }

    @Override
    public void onWire(long arrivedCount, long missingCount) {
        arrivedNow = missingCount <= 0 ? 1 : (double) arrivedCount / (arrivedCount + missingCount);
    }

    @Override
    public void onPeriod(int total, int lost, long periodNanos, long rttNanos) {
        periodNanosMin = Math.min(periodNanosMin, periodNanos);
        echoes += total - lost;
        double weight = config.gainPerRtt() * Math.min(1, (double) total / config.samplesMin());
        delivered += weight * ((double) (total - lost) / total - delivered);
        arrived = Math.max(ARRIVED_MIN, arrived + weight * (arrivedNow - arrived));
        runCredits = lost == 0 ? runCredits + total : 0;
        if (runCredits >= RUN_CREDITS_MIN && mayProve()) {
            delivered = Math.max(delivered, StrictMath.exp(-RUN_PROOF / runCredits) * arrived * arrived);
        }
    }

    /**
     * {@return whether the run of credits can prove more than is believed} Since exp(-x) is at most 1 / (1 + x), most
     * often the cheaper of the two says no.
     */
    private boolean mayProve() {
        return passed() < 1 / (1 + RUN_PROOF / runCredits) + ROUNDING;
    }

    /**
     * {@return whether the flow is young, and began with more than a few frames} Of many such flows that begin at once
     * each does the same, so that what they believe falls together, and none has more than another. Later, silence is
     * more likely a peer that pauses than a crowd, and echoes come
     * often enough.
     */
    @Override
    public boolean countsSilence() {
        return isLong && echoes < YOUNG_ECHOES;
    }

    @Override
    public boolean countsWasteAsLoss() {
        return false;
    }

    @Override
    public boolean waitsForMeter() {
        return true;
    }
}
