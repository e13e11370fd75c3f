package io.weir.transport.protocol.credit;

import io.weir.transport.protocol.CreditLedger;

/**
 * How many credits a flow's backlog needs: one for each frame, those that will be lost, and behind meters some to
 * spare. One a flow, receiver side; O(1); no allocation.
 *
 * <p>Deviation: the paper's receiver sends credits until it is told to stop.
 */
final class BacklogNeeds {
    /** So many of a flow's credits are supposed to have come back before any did. */
    private static final int SHARE_CREDITS_FIRST = 2;

    /** Since it began to ask, a flow gets credits to spare until it had so many. */
    private static final int SPARED_CREDITS = 32;
    /** A flow that has had more frames earns spare credits as a long one. */
    private static final int SHORT_FRAMES = 24;
    /** A flow's last frames, so many, get a few to spare: if one is lost, the flow waits for it. */
    private static final int LAST_FRAMES = 64;
    /**
     * Credits to spare are at most this part of what the link passes in a round trip. To lose a frame's only credit
     * costs its flow a round trip; a credit that is not used costs all others a frame's time.
     */
    private static final int SPARE_RTT_PART = 5;
    /** At least so many, where round trips take little longer than frames, or are not known. */
    private static final int SPARE_MIN = 8;

    private final CreditHost host;
    private final CreditLedger ledger;
    private final CreditLossMeter lossMeter;
    private final CreditRtt rtt;
    private final StandingCredit standing;
    private final boolean hasSpares;
    private final int segmentBytesMax;

    /** What waits at the sender, by its latest report: a request, a stop, or the latest data frame. */
    private long bytes;
    /** Whether meters may stand on the path: where several frames a credit were agreed on, none does. */
    private boolean isMetered;
    /** The number of the first credit since the flow last began to ask, 0 before; written by {@link #begin}. */
    private long begunSequence;
    /** How many of its credits had been used then; written by {@link #begin}. */
    private long usedAtBegin;

    /**
     * Creates the needs of a flow without a backlog.
     *
     * @param hasSpares whether the host loses none of its credits itself: for those that it does, more would make it
     *     worse
     */
    BacklogNeeds(
            CreditHost host,
            CreditLedger ledger,
            CreditLossMeter lossMeter,
            CreditRtt rtt,
            StandingCredit standing,
            boolean hasSpares,
            int segmentBytesMax) {
        this.host = host;
        this.ledger = ledger;
        this.lossMeter = lossMeter;
        this.rtt = rtt;
        this.standing = standing;
        this.hasSpares = hasSpares;
        this.segmentBytesMax = segmentBytesMax;
    }

    void setBytes(long value) {
        bytes = value;
    }

    void setMetered(boolean value) {
        isMetered = value;
    }

    boolean isMetered() {
        return isMetered;
    }

    /** The flow begins to ask, with the credit {@code nextSequence}. */
    void begin(long nextSequence) {
        begunSequence = nextSequence;
        usedAtBegin = ledger.used();
    }

    /** {@return whether the flow has not begun to ask yet} */
    boolean isFirst() {
        return begunSequence == 0;
    }

    /** {@return the number of the first credit since the flow last began to ask} */
    long begunSequence() {
        return begunSequence;
    }

    /** {@return whether a credit has come back since the flow began to ask} */
    boolean hasEcho() {
        return lossMeter.highest() >= begunSequence;
    }

    long frames() {
        return (bytes + segmentBytesMax - 1) / segmentBytesMax;
    }

    /** {@return how many credits the backlog needs, with those to spare that the host can afford} */
    long credits(long nextSequence) {
        long frames = frames();
        if (!hasSpares) {
            return host.delivery().creditsFor(frames);
        }
        long needed;
        if (isYoung(nextSequence)) {
            needed = creditsForShort(frames);
        } else if (frames <= LAST_FRAMES) {
            needed = host.delivery().creditsForLast(frames, ownShare(), isMetered);
        } else {
            needed = host.delivery().creditsFor(frames);
        }
        return Math.min(needed, frames + Math.min(host.spares().forOneFlow(), worthSparing()));
    }

    /** {@return how many credits to spare cost others less than losing one costs the flow} */
    private long worthSparing() {
        return Math.max(SPARE_MIN, rtt.guessFrames() / SPARE_RTT_PART);
    }

    /** {@return whether the flow has had too few credits to know how many it loses} */
    private boolean isYoung(long nextSequence) {
        return nextSequence - begunSequence < SPARED_CREDITS;
    }

    /** {@return whether the flow has had few frames since it began to ask} */
    boolean isShort() {
        return ledger.used() - usedAtBegin <= SHORT_FRAMES;
    }

    /** {@return how many credits let a short backlog through, nearly always} */
    long creditsForShort(long frames) {
        return host.delivery().creditsForShort(frames, ownShare(), isMetered);
    }

    /**
     * {@return whether silence is a sign of loss: where the host's credits are lost, or it knows the fate of too few
     * to tell}
     */
    boolean isLossLikely() {
        return hasSpares && creditsForShort(1) > 1;
    }

    /** {@return the share of this flow's credits that came back as data, a first few supposed to have done so} */
    private double ownShare() {
        double came = ledger.used() + SHARE_CREDITS_FIRST;
        return came / (came + lost());
    }

    /** {@return the credits that were lost} Not a standing one that newer ones have overtaken: the sender holds it. */
    long lost() {
        boolean isOvertaken = standing.sequence() != 0 && standing.sequence() < lossMeter.highest();
        return ledger.lost() - (isOvertaken ? 1 : 0);
    }
}
