package io.weir.transport.scenario.result;

/**
 * Calls over open connections, each of which asks again when its response is complete.
 *
 * @param id the name of their traffic
 * @param connections over how many connections they went
 * @param outstanding how many calls each connection had open at once
 * @param completionNanos how long calls took that were made after the warm-up, from the request to the end of the
 *     response; its count is that of the answered calls
 * @param goodputBps payload of requests and responses over the time from the end of the warm-up on
 * @param credits the fate of all credits, of both directions, or null for a protocol without
 */
public record CallsResult(
        String id,
        int connections,
        int outstanding,
        Percentiles completionNanos,
        double goodputBps,
        FlowResult.Credits credits) {}
