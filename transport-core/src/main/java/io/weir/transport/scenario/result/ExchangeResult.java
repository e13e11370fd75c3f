package io.weir.transport.scenario.result;

/**
 * Rounds of requests and responses.
 *
 * @param id its name
 * @param client the host that asked
 * @param servers how many answered
 * @param rounds rounds that were completed
 * @param roundNanos how long a round took, from the first request to the end of the last response
 * @param goodputBps payload of the responses over the time of the rounds
 */
public record ExchangeResult(
        String id, String client, int servers, long rounds, Percentiles roundNanos, double goodputBps) {}
