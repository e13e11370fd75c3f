package io.weir.transport.protocol.ccrp;

import io.weir.pacer.RateMath;
import io.weir.transport.protocol.Settings;
import io.weir.transport.protocol.credit.FeedbackControl;

/**
 * Turns the marks and the credit loss of an update period into the next credited rate. One instance per flow, receiver
 * side; O(1); no allocation.
 *
 * <p>Source: CCRP section 3.2, Algorithm 1. Marks of the data queue cut the rate first; the loss of credits then raises
 * or cuts what is left. Where the print is not enough, {@link Ccrp}'s parameters say how it is read.
 *
 * <p>Frames that say nothing of credits, and frames that repeat a credit, are not counted.
 */
final class EcnFeedback implements FeedbackControl {
    /** The lowest rate: one credit in so many of the shortest update periods. */
    private static final int PERIODS_PER_CREDIT_MAX = 64;

    private final double targetLoss;
    private final double targetEcnRatio;
    private final double omegaMax;
    private final double omegaMin;
    private final boolean cutsAtTarget;
    private final boolean creditsNeedMarks;
    private final boolean keepsTmpRate;
    private final double rateMaxBps;
    private final double costNanobits;
    private final EcnAlpha alpha;
    private final RateRecovery recovery;

    /** The credited rate, cur_rate, at most rateMaxBps; changed by frames, time and periods. */
    private double rateBps;
    /** The rate after the reaction to marks, tmp_rate, which credit loss starts from; written once a period. */
    private double tmpBps;
    /** The aggression factor, w: 0 at first, at most omegaMax; followCreditLoss cuts it to omegaMin at least. */
    private double omega;
    // Data frames of this period, and the marked ones of them; raised by onData, cleared by onPeriod.
    private long frames;
    private long markedFrames;
    /** The shortest period so far; sets the lowest rate. Written by onPeriod, never rises. */
    private long periodNanosMin = Long.MAX_VALUE;
    /** The time of the latest onTime, which each period's end follows. */
    private long nowNanos;

    EcnFeedback(Settings settings, long rateMaxBps, int costBytes) {
        targetLoss = settings.fraction(Ccrp.TARGET_LOSS);
        targetEcnRatio = settings.fraction(Ccrp.TARGET_ECN_RATIO);
        omegaMax = settings.fraction(Ccrp.OMEGA_MAX);
        omegaMin = settings.fraction(Ccrp.OMEGA_MIN);
        cutsAtTarget = settings.flag(Ccrp.CUT_AT_TARGET);
        creditsNeedMarks = settings.flag(Ccrp.CREDITS_NEED_MARKS);
        keepsTmpRate = settings.flag(Ccrp.KEEP_TMP_RATE);
        this.rateMaxBps = rateMaxBps;
        costNanobits = RateMath.nanobits(costBytes);
        // = ccrp Algorithm 1, line 1: "ECN_alpha <- 1, w <- 0, cur_rate <- initial_rate"
        alpha = new EcnAlpha(settings);
        recovery = new RateRecovery(settings, rateMaxBps);
        rateBps = rateMaxBps * settings.fraction(Ccrp.INITIAL_RATE);
        tmpBps = rateBps;
    }

    @Override
    public long rateBps() {
        return Math.max(1, (long) Math.max(rateBps, floorBps()));
    }

    /**
     * {@return the lowest rate: where all credits are lost, line 17 would leave none that could show that the loss is
     * over}
     */
    private double floorBps() {
        return costNanobits / ((double) PERIODS_PER_CREDIT_MAX * periodNanosMin);
    }

    @Override
    public void onData(boolean isMarked, int payloadBytes) {
        frames++;
        markedFrames += isMarked ? 1 : 0;
        rateBps = recovery.onBytes(payloadBytes, rateBps);
    }

    @Override
    public boolean onTime(long newNowNanos) {
        nowNanos = newNowNanos;
        double raisedBps = recovery.onTime(nowNanos, rateBps);
        boolean isRaised = raisedBps != rateBps;
        rateBps = raisedBps;
        return isRaised;
    }

    @Override
    public void onPeriod(int total, int lost, long periodNanos, long rttNanos) {
        periodNanosMin = Math.min(periodNanosMin, periodNanos);
        double loss = (double) lost / total; // = ccrp Algorithm 1, line 3
        double ecnRatio = frames == 0 ? 0 : (double) markedFrames / frames; // = ccrp Algorithm 1, line 4
        frames = 0;
        markedFrames = 0;
        recovery.onPeriod(rateBps);
        // = ccrp Algorithm 1, line 5: "ECN_ratio >= target_ECN_ratio"; with ">" unless cutAtTarget
        boolean isCut = cutsAtTarget ? ecnRatio >= targetEcnRatio : ecnRatio > targetEcnRatio;
        if (isCut) {
            cut(ecnRatio);
        } else {
            tmpBps = keepsTmpRate ? tmpBps : rateBps;
            tmpBps = recovery.onQuietPeriod(tmpBps);
        }
        if (isCut || !creditsNeedMarks) {
            followCreditLoss(loss);
        }
    }

    private void cut(double ecnRatio) {
        double cutBy = targetEcnRatio + alpha.onCut(ecnRatio, nowNanos); // = ccrp Algorithm 1, line 6
        // = ccrp Algorithm 1, line 7: "tmp_rate = cur_rate * (1 - (target_ECN_ratio + ECN_alpha) / 2)"
        tmpBps = rateBps * Math.max(0, 1 - cutBy / 2);
        recovery.onCut(rateBps, nowNanos);
    }

    private void followCreditLoss(double loss) {
        if (loss <= targetLoss) { // = ccrp Algorithm 1, line 11
            omega = (omega + omegaMax) / 2; // = line 13
            rateBps = (1 - omega) * tmpBps + omega * rateMaxBps; // = line 14
        } else {
            rateBps = tmpBps * (1 - loss); // = ccrp Algorithm 1, line 17
            omega = Math.max(omegaMin, omega / 2); // = line 18
        }
        rateBps = Math.max(Math.min(rateBps, rateMaxBps), floorBps());
    }

    /** Like the authors' code, which cannot tell: and a sender that calls lost credits wasted gains nothing. */
    @Override
    public boolean countsWasteAsLoss() {
        return true;
    }

    @Override
    public boolean followsMarks() {
        return true;
    }
}
