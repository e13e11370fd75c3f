package io.weir.transport.scenario.result;

/**
 * A port of a switch, from the end of the warm-up on; what is of the whole run is called so.
 *
 * @param node the switch
 * @param port the Node at the other end of the link
 * @param queueBytesMax the most that was in the data queue
 * @param queueBytesMean the mean over time
 * @param queueBytesMin the least
 * @param queueBytesP25 25 % of the time there was no more
 * @param queueBytesP50 half of the time there was no more
 * @param queueBytesP75 75 % of the time there was no more
 * @param queueBytesP99 99 % of the time there was no more
 * @param creditQueueFramesMax the most credits that waited
 * @param dataDrops frames dropped because the data queue was full
 * @param creditDrops credits dropped because the credit queue was full
 * @param marks packets marked
 * @param utilization wire bytes sent as a share of what the link could carry
 * @param creditsOffered credits that came to the port's meter; 0 where it has none
 * @param queueBytesMaxWholeRun the most that was in the data queue since the run began, the warm-up included
 * @param longestQueue what it consisted of then
 */
public record PortResult(
        String node,
        String port,
        long queueBytesMax,
        double queueBytesMean,
        long queueBytesMin,
        long queueBytesP25,
        long queueBytesP50,
        long queueBytesP75,
        long queueBytesP99,
        long creditQueueFramesMax,
        long dataDrops,
        long creditDrops,
        long marks,
        double utilization,
        long creditsOffered,
        long queueBytesMaxWholeRun,
        QueueSplit longestQueue) {}
