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
 * again. So a run of credits without loss that is improbable at the smoothed loss begins a {@link RateTrial}. What a
 * trial loses is not counted by the flow itself, and its rivals pass over up to two periods of exceptional loss in a
 * row: otherwise each trial would lower all of them, and a flow that crosses several links more than the others.
 *
 * <p>A flow that has just begun has no loss to go by, and may be one of hundreds: it goes by its {@link FirstShare}.
 *
 * <p>Where switches meter no credits, data is lost in their place, and a {@link DataLossLimit} bounds the rate.
 *
 * <p>Deviation from ExpressPass's Algorithm 1, with the figures and the reason in docs/protocols/expresspass.md: the
 * algorithm's rates depend on when each flow last increased, and its losses are punished twice.
 */
final class LossPriceFeedback implements FeedbackControl {
    /** The lowest rate: one credit in so many of the shortest update periods. */
    private static final int PERIODS_PER_CREDIT_MAX = 64;

    /**
     * A wire that loses more is broken: what is lost beyond this lowers the rate. It bounds what a peer gains that
     * leaves numbers out.
     */
    private static final double ARRIVED_MIN = 1 - DataLossLimit.WIRE_LOSS_MAX;

    /** A flow of at most so many frames begins at the highest rate, whatever its host's other flows lose. */
    private static final int SHORT_FRAMES = 10;
    /** A flow of at most so many frames is over before it could learn its {@link FirstShare}. */
    private static final int MEDIUM_FRAMES = 24;
    /** Where so much of a host's credits is lost, the first rate of its next flow of medium length is half. */
    private static final double HALVING_LOSS_MEDIUM = 1.0 / 4;
    /** The same for a long flow, which soon goes by its own loss. */
    private static final double HALVING_LOSS_LONG = 1.0 / 3;
    /** No loss of a host's other flows makes a first rate lower, as a share of the highest. */
    private static final double FIRST_FRACTION_MIN = 1.0 / 16;

    /**
     * A flow that has had fewer credits back is young. It counts every loss: while many flows begin at once, those that
     * passed over the crowd's loss would have more than the others for tens of milliseconds.
     */
    private static final int YOUNG_ECHOES = 128;
    /** A young flow's credits weigh so many times as much: few came back, and its first share is not exact. */
    private static final int YOUNG_WEIGHT = 3;
    /** As many as a double has bits of precision. */
    private static final int HALVINGS = 53;

    /** Loss is exceptional beyond so many standard deviations above the smoothed one. */
    private static final double EXCEPTIONAL_DEVIATIONS = 3;
    /** A period of fewer credits tells too little to be exceptional. */
    private static final int EXCEPTIONAL_CREDITS_MIN = 8;
    /** So many exceptional periods in a row are someone's trial, more are rivals that came. */
    private static final int EXCEPTIONAL_PERIODS_MAX = 2;

    private final FeedbackConfig.LossPrice config;
    private final long rateMaxBps;
    private final double rateCeilingBps;
    private final double costNanobits;
    /** The shortest update period so far, in which the lowest rate is one credit of 64 periods; never rises. */
    private long periodNanosMin = Long.MAX_VALUE;
    /** The smoothed fraction of credits that came back as data. */
    private double delivered;
    /**
     * The smoothed fraction of the sender's frames that arrived, whatever let them go; at least {@link #ARRIVED_MIN}.
     */
    private double arrived = 1;
    /** Frames of the sender's host that arrived in the period that ends; written by {@link #onWire}, 0 after it. */
    private long arrivedCount;
    /** Those that did not, below 0 when late ones came; written by {@link #onWire}. */
    private long missingCount;

    private final DataLossLimit dataLoss;

    private final RateTrial trial = new RateTrial();
    /** Exceptional periods in a row that were passed over; written by {@link #isPassing}. */
    private int passedOver;
    /** Credits that came back since the flow began; written by {@link #onPeriod}. */
    private long echoes;

    private final FirstShare firstShare = new FirstShare();
    /** {@link #delivered} before the first credit, which no first share exceeds; written by {@link #onFirstBacklog}. */
    private double deliveredFirst = 1;
    /** Whether the flow began with more than {@link #MEDIUM_FRAMES}; written by {@link #onFirstBacklog}. */
    private boolean isLong;
    /**
     * The rate that follows from all of the above, in bit/s; it is asked for with every frame, and changes once a
     * period.
     */
    private long rateBps;

    LossPriceFeedback(FeedbackConfig.LossPrice config, long rateMaxBps, int costBytes, double initialRateFraction) {
        this.config = config;
        this.rateMaxBps = rateMaxBps;
        this.costNanobits = RateMath.nanobits(costBytes);
        this.rateCeilingBps = rateMaxBps * (1 + config.overshootFraction());
        this.dataLoss = new DataLossLimit(costBytes);
        this.delivered = deliveredAtRate(initialRateFraction);
        this.rateBps = currentRateBps();
    }

    /** {@return the delivered fraction at which the rate is {@code rateFraction} of the highest} */
    private double deliveredAtRate(double rateFraction) {
        return deliveredAt(rateFraction, 0);
    }

    /** {@return the delivered fraction at which what is delivered of the rate is {@code share} of the highest} */
    private double deliveredAtShare(double share) {
        return deliveredAt(share, 1);
    }

    /** {@return the delivered fraction d at which the rate x d ^ {@code power} is {@code product}} */
    private double deliveredAt(double product, int power) {
        double low = 0;
        double high = 1;
        for (int i = 0; i < HALVINGS; i++) {
            double middle = (low + high) / 2;
            double rateFraction = price(middle) * (1 + config.overshootFraction());
            if ((power == 0 ? rateFraction : middle * rateFraction) < product) {
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
        return rateBps;
    }

    private long currentRateBps() {
        return rateBps(allowedBps());
    }

    private long rateBps(double allowedBps) {
        // A flow that lost nearly all of its credits would wait for hours before it could learn that the loss is over.
        double floorBps = costNanobits / ((double) PERIODS_PER_CREDIT_MAX * periodNanosMin);
        return Math.max(1, (long) Math.max(Math.min(allowedBps, dataLoss.bps()), floorBps));
    }

    /** {@return the rate that the loss of credits allows} */
    private double allowedBps() {
        return rateCeilingBps * Math.max(trial.fraction(), price(passed()));
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
    public void onFirstBacklog(long frames, double hostDelivered) {
        if (frames <= SHORT_FRAMES) {
            return;
        }
        isLong = frames > MEDIUM_FRAMES;
        double loss = (1 - hostDelivered) / (isLong ? HALVING_LOSS_LONG : HALVING_LOSS_MEDIUM);
        double fraction = Math.max(FIRST_FRACTION_MIN, 1 / (1 + loss * loss * loss));
        if (fraction < 1) {
            delivered = Math.min(delivered, deliveredAtRate(fraction));
            rateBps = currentRateBps();
        }
        deliveredFirst = delivered;
    }

    @Override
    public void onData(boolean isMarked, int payloadBytes) {
        firstShare.onEcho();
    }

    @Override
    public boolean onCredit(long nextSequence, long rttNanos, boolean hasPaused) {
        if (!isLong || firstShare.isKnown()) {
            return false;
        }
        double rttFrames = rttNanos * (rateMaxBps / costNanobits);
        if (hasPaused) {
            firstShare.onPause(rttFrames);
        }
        double framesPerCredit = Math.max(1, (double) rateMaxBps / rateBps);
        if (!firstShare.onCredit(nextSequence, framesPerCredit, rttFrames)) {
            return false;
        }
        delivered = Math.min(deliveredFirst, deliveredAtShare(firstShare.share()));
        rateBps = currentRateBps();
        return true;
    }

    @Override
    public void onWire(long arrivedNow, long missingNow) {
        arrivedCount = arrivedNow;
        missingCount = missingNow;
    }

    @Override
    public void onPeriod(int total, int lost, long periodNanos, long rttNanos) {
        periodNanosMin = Math.min(periodNanosMin, periodNanos);
        int times = isLong && echoes < YOUNG_ECHOES ? YOUNG_WEIGHT : 1;
        double samples = (double) times * total / config.samplesMin();
        double weight = config.gainPerRtt() * Math.min(1, samples);
        double arrivedNow = missingCount <= 0 ? 1 : (double) arrivedCount / (arrivedCount + missingCount);
        arrived = Math.max(ARRIVED_MIN, arrived + weight * (arrivedNow - arrived));
        boolean isCounted = !firstShare.isLearning() && isCounted(total, lost);
        echoes += total - lost;
        if (isCounted) {
            delivered += weight * ((double) (total - lost) / total - delivered);
        }
        double allowedBps = allowedBps();
        dataLoss.onPeriod(arrivedCount, missingCount, periodNanos, rttNanos, allowedBps);
        arrivedCount = 0;
        missingCount = 0;
        rateBps = rateBps(allowedBps);
    }

    private boolean isCounted(int total, int lost) {
        if (lost > 0) {
            return !trial.onLoss() && !isPassing(total, lost);
        }
        double passed = passed();
        return trial.onNoLoss(total, 1 - passed, price(passed));
    }

    /**
     * {@return whether so much was lost that it is probably a trial of a rival's, which is over soon} A flow that has
     * most of a link has no such rival, and makes way at once.
     */
    private boolean isPassing(int total, int lost) {
        double expected = total * (1 - delivered);
        double most = expected + EXCEPTIONAL_DEVIATIONS * Math.sqrt(expected * delivered) + 1;
        if (lost <= most) {
            passedOver = 0;
            return false;
        }
        if (passedOver == EXCEPTIONAL_PERIODS_MAX
                || echoes < YOUNG_ECHOES
                || total < EXCEPTIONAL_CREDITS_MIN
                || price(passed()) > RateTrial.USUAL_FRACTION_MAX) {
            return false;
        }
        passedOver++;
        return true;
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
