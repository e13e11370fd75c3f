package io.weir.transport.scenario.result;

import java.util.List;

/**
 * The whole in a few figures, from the end of the warm-up on.
 *
 * @param jainIndex Jain's index of the goodput of flows that ran to the end, or of all that were complete
 * @param utilization the busiest switch port's wire bytes as a share of its link
 * @param goodputBps the goodput of all flows together
 * @param completionNanos completion times by class of size
 * @param queueingDelayNanos the time that the data queues of all switch ports stood for while anything waited, over
 *     time and ports: the count is nanoseconds
 * @param dataDrops frames dropped by full data queues
 * @param creditWasteFraction credits that found nothing to send, as a share of those that senders received
 */
public record Summary(
        double jainIndex,
        double utilization,
        double goodputBps,
        List<SizeClass> completionNanos,
        Percentiles queueingDelayNanos,
        long dataDrops,
        double creditWasteFraction) {
    Summary plusGoodputBps(double otherBps) {
        return new Summary(
                jainIndex,
                utilization,
                goodputBps + otherBps,
                completionNanos,
                queueingDelayNanos,
                dataDrops,
                creditWasteFraction);
    }

    /**
     * The flows of a class of size (ExpressPass Table 2: S up to 10 KB, M up to 100 KB, L up to 1 MB, XL above).
     *
     * @param name S, M, L, XL or all
     * @param flows how many there were, complete or not
     * @param completionNanos how long those took that were completed
     */
    public record SizeClass(String name, long flows, Percentiles completionNanos) {}
}
