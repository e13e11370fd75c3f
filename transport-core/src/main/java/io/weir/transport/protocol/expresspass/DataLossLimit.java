package io.weir.transport.protocol.expresspass;

import io.weir.pacer.RateMath;

/**
 * Limits the rate where data is lost: at a link that is slower than the hosts' and whose switch meters no credits. One
 * per flow, receiver side; O(1) per period; no allocation.
 *
 * <p>While no more is lost than a wire may lose, there is no limit. Then the flow gets a little less than arrived, so
 * that the queue empties, and from there more each round trip until data is lost again: additive increase and
 * multiplicative decrease, as congestion control without credits has it (RFC 5681). A limit that reaches what the loss
 * of credits allows ends.
 *
 * <p>A wire's loss does not depend on the rate. What is lost in spite of several cuts in a row counts as the wire's, as
 * far as one may lose.
 *
 * <p>Deviation: the paper's switches all meter credits, and it says nothing of data that is lost.
 */
final class DataLossLimit {
    /** The most that a wire is believed to lose, as a fraction: where more is lost, the limit begins. */
    static final double WIRE_LOSS_MAX = 0.1;

    /** No limit. */
    private static final double NONE = Double.POSITIVE_INFINITY;
    /** More is lost than the wire loses, beyond so many standard deviations ... */
    private static final double DEVIATIONS = 3;
    /** ... and so many frames. */
    private static final int CHANCE_FRAMES = 1;
    /** A verdict needs so many frames. */
    private static final int FRAMES_MIN = 8;
    /** What a cut leaves of the rate at which data arrived. */
    private static final double KEPT = 7.0 / 8;
    /** No limit is lower than so many frames per round trip. */
    private static final int FRAMES_PER_RTT_MIN = 2;
    /** After a cut, data of the credits from before it comes for one round trip, and tells of the old rate. */
    private static final int HELD_RTTS = 2;
    /** After so many cuts in a row, what is lost counts as the wire's. */
    private static final int CUTS_MAX = 6;
    /** A round trip may have one frame more than the one before it, but so much of the limit at least ... */
    private static final double STEP_MIN = 1.0 / 256;
    /** ... and at most. */
    private static final double STEP_MAX = 1.0 / 8;
    /** A verdict with less loss moves what is believed of the wire by this part of the difference. */
    private static final double WIRE_WEIGHT = 1.0 / 8;

    private final double costNanobits;

    /** The limit in bit/s, as credits count; above 0. Written by {@link #onPeriod}. */
    private double limitBps = NONE;
    /** What the wire is believed to lose, as a fraction of at most {@link #WIRE_LOSS_MAX}; written by verdicts. */
    private double wireLoss;
    /** For how long no verdict begins, in nanoseconds; at most 0 when one may. Set by a cut, lowered by each period. */
    private long heldNanos;
    /** Frames that arrived since the last verdict, which clears this and the next two. */
    private long arrived;
    /** Frames that are missing since then; below 0 when late ones came. */
    private long missing;
    /** How long ago that was, in nanoseconds. */
    private long sampleNanos;
    /** Verdicts in a row that cut; 0 after one that did not. */
    private int cutsInARow;

    /** @param costBytes what a credit stands for on the wire */
    DataLossLimit(int costBytes) {
        this.costNanobits = RateMath.nanobits(costBytes);
    }

    /** {@return the limit in bit/s; infinite if there is none} */
    double bps() {
        return limitBps;
    }

    /**
     * A period ends.
     *
     * @param arrivedCount frames of the sender's host that arrived
     * @param missingCount those that did not; below 0 when late ones came
     * @param allowedBps what the flow may have without this limit
     */
    void onPeriod(long arrivedCount, long missingCount, long periodNanos, long rttNanos, double allowedBps) {
        if (heldNanos > 0) {
            heldNanos -= periodNanos;
            return;
        }
        arrived += arrivedCount;
        missing += missingCount;
        sampleNanos += periodNanos;
        if (limitBps != NONE) {
            raise(periodNanos, rttNanos, allowedBps);
        }
        long frames = arrived + Math.max(0, missing);
        if (frames < FRAMES_MIN) {
            return;
        }
        double usual = limitBps == NONE ? WIRE_LOSS_MAX : wireLoss;
        double usualFrames = frames * usual;
        if (missing > usualFrames + DEVIATIONS * Math.sqrt(usualFrames * (1 - usual)) + CHANCE_FRAMES) {
            cut((double) missing / frames, rttNanos);
        } else {
            cutsInARow = 0;
            double loss = (double) Math.max(0, missing) / frames;
            wireLoss = Math.min(wireLoss, wireLoss + WIRE_WEIGHT * (loss - wireLoss));
        }
        arrived = 0;
        missing = 0;
        sampleNanos = 0;
    }

    private void cut(double loss, long rttNanos) {
        cutsInARow++;
        if (cutsInARow == CUTS_MAX) {
            cutsInARow = 0;
            wireLoss = Math.min(loss, WIRE_LOSS_MAX);
        }
        double arrivedBps = costNanobits * arrived / sampleNanos;
        limitBps = Math.max(FRAMES_PER_RTT_MIN * costNanobits / rttNanos, Math.min(limitBps, arrivedBps) * KEPT);
        heldNanos = HELD_RTTS * rttNanos;
    }

    private void raise(long periodNanos, long rttNanos, double allowedBps) {
        double frameBps = costNanobits / rttNanos;
        double stepBps = Math.min(STEP_MAX * limitBps, Math.max(STEP_MIN * limitBps, frameBps));
        limitBps += stepBps * periodNanos / rttNanos;
        if (limitBps >= allowedBps) {
            limitBps = NONE;
        }
    }
}
