package io.weir.transport.scenario.result;

/**
 * A host's port. Counts are from the end of the warm-up on, the most of anything is of the whole run.
 *
 * @param host the host
 * @param utilization wire bytes sent as a share of what the link could carry
 * @param flowsWaitingMax the most flows that waited at once with data that might leave
 * @param queueBytesMax the most that was in the queue in front of the link; 0 for a host whose flows take turns
 * @param queueDrops frames dropped because that queue was full
 * @param creditsOffered credits that its flows gave to the host's own meter
 * @param creditsDropped those of them that were lost there
 * @param creditsWaitingMax the most credits that waited for the meter at once: queued, or of flows that wait in turn
 */
public record HostResult(
        String host,
        double utilization,
        long flowsWaitingMax,
        long queueBytesMax,
        long queueDrops,
        long creditsOffered,
        long creditsDropped,
        long creditsWaitingMax) {}
