package io.weir.transport.protocol.credit;

/**
 * How many credits a host's flows may still make beyond what their backlogs need: spare ones, and probes. Credits that
 * come back earn them. O(1); no allocation.
 *
 * <p>Spare credits help flows of a few frames, which cannot wait to find out what is lost. Where long flows cause the
 * loss, they are a small part of the traffic. Where short flows alone share a link, they cause the loss that they are
 * made for: without a bound, 16 hosts that received messages of one frame over one link sent 25 credits per frame. So
 * short flows earn an eighth of what comes back. One flow may have an eighth of what is left, since the first spare
 * credit helps more than the tenth, and a flow that loses most of its credits needs some thirty.
 *
 * <p>Not in the paper, which spares none.
 */
final class SpareCredits {
    private static final int FIRST = 256;
    private static final int MAX = 512;
    private static final int FLOW_PART = 8;

    /** What a credit takes, in the unit of {@link #left}. */
    private static final int CREDIT = 8;

    private static final int EARNED_BY_SHORT = 1;
    private static final int EARNED_BY_LONG = 4 * CREDIT;

    /** Eighths of a credit, 0 to {@link #MAX} credits; raised by {@link #onEcho}, lowered by {@link #onSent}. */
    private int left = FIRST * CREDIT;

    /**
     * A credit came back as data.
     *
     * @param isShort whether its flow has had few since it began to ask
     */
    void onEcho(boolean isShort) {
        left = Math.min(MAX * CREDIT, left + (isShort ? EARNED_BY_SHORT : EARNED_BY_LONG));
    }

    /** So many credits that no backlog needs were sent. A probe is sent even when none is left. */
    void onSent(int count) {
        left = Math.max(0, left - count * CREDIT);
    }

    /** {@return how many one flow may have on their way now} */
    int forOneFlow() {
        return (left + CREDIT * FLOW_PART - 1) / (CREDIT * FLOW_PART);
    }
}
