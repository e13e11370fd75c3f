package io.weir.transport.scenario.result;

/**
 * A flow.
 *
 * @param id its name: that of its traffic and a number
 * @param source the sending host
 * @param destination the receiving host
 * @param protocol what scheduled it, with the preset
 * @param bytes payload that arrived in order
 * @param startNanos when it was to start
 * @param completionNanos how long it took until the last byte of a flow of limited size arrived, or null
 * @param goodputBps its bytes over the time from its start, or the end of the warm-up, to its end
 * @param retransmittedBytes retransmitted bytes
 * @param credits the fate of its credits, or null for a protocol without
 */
public record FlowResult(
        String id,
        String source,
        String destination,
        String protocol,
        long bytes,
        long startNanos,
        Long completionNanos,
        double goodputBps,
        long retransmittedBytes,
        Credits credits) {
    /**
     * The fate of a flow's credits.
     *
     * @param sent credits that the receiver made
     * @param received credits that reached the sender
     * @param used credits that sent data
     * @param wasted credits that found nothing to send
     * @param expired credits that came too late, or were given up
     * @param lost credits that the network dropped, as the receiver knows
     */
    public record Credits(long sent, long received, long used, long wasted, long expired, long lost) {}
}
