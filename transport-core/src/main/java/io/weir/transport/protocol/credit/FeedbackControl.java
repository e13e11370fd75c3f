package io.weir.transport.protocol.credit;

/**
 * Turns what an update period has shown into the next credited rate: one instance per flow, receiver side, O(1), no
 * allocation.
 *
 * <p>Defaults are what the paper's own rule does: lost credits are all that it looks at, and a wasted one counts as
 * lost.
 */
public interface FeedbackControl {
    /** {@return the credited rate now} */
    long rateBps();

    /**
     * Ends an update period in which the fate of {@code total} credits, more than 0, became known.
     *
     * @param lost how many of them were lost
     * @param periodNanos how long the period was, at least a round-trip time
     * @param rttNanos the round-trip time
     */
    void onPeriod(int total, int lost, long periodNanos, long rttNanos);

    /**
     * The flow's first credits are about to be made.
     *
     * @param frames its backlog
     * @param hostDelivered the share of their credits that the flows of this host see come back as data
     */
    default void onFirstBacklog(long frames, double hostDelivered) {}

    /**
     * Says, before {@link #onPeriod}, how many of the frames that the sender's host numbered meanwhile arrived, and how
     * many did not. Meters drop none of them.
     */
    default void onWire(long arrived, long missing) {}

    /** {@return whether a period must count only credits that were sent since the rate changed} */
    default boolean countsOnlyCurrentRate() {
        return false;
    }

    /** {@return whether credits that found nothing to send count as lost} */
    default boolean countsWasteAsLoss() {
        return true;
    }

    /**
     * {@return whether a credit that is due waits until the host's own meter has room for it, so that the host loses
     * none, and all loss is the network's} Rules that do not wait lose at their host what its queue of credits cannot
     * hold, as in the paper.
     */
    default boolean waitsForMeter() {
        return false;
    }

    /** {@return whether the rate follows marks, so that a sender whose data cannot be marked would gain by it} */
    default boolean followsMarks() {
        return false;
    }

    /**
     * A data frame came for a credit.
     *
     * @param isMarked whether a switch has marked it Congestion Experienced
     * @param payloadBytes what it carries
     */
    default void onData(boolean isMarked, int payloadBytes) {}

    /**
     * The credit {@code nextSequence} is about to be made, on a path where meters may drop it.
     *
     * @param rttNanos the round-trip time, or before the first sample a guess; 0 if nothing tells
     * @param hasPaused whether the host has paused since the credit before, so that it may not have seen echoes yet
     * @return whether the rate has changed
     */
    default boolean onCredit(long nextSequence, long rttNanos, boolean hasPaused) {
        return false;
    }

    /** {@return whether the time alone has changed the rate; called before each credit and each period's end} */
    default boolean onTime(long nowNanos) {
        return false;
    }
}
