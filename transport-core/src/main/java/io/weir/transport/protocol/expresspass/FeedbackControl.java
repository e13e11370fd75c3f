package io.weir.transport.protocol.expresspass;

/**
 * Turns the credit loss of an update period into the next credited rate: one instance a flow, receiver side, O(1), no
 * allocation.
 */
interface FeedbackControl {
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

    /** {@return whether a period must count only credits that were sent since the rate changed} */
    boolean countsOnlyCurrentRate();

    /** {@return whether credits that found nothing to send count as lost} */
    boolean countsWasteAsLoss();
}
