package io.weir.transport.scenario.result;

/**
 * Messages sent at a rate, whether or not earlier ones have arrived.
 *
 * @param id the name of their traffic
 * @param connections over how many connections they went
 * @param messages how many were due from the end of the warm-up on
 * @param completionNanos how long those took that arrived whole, from when they were due
 * @param goodputBps their bytes over the time from the end of the warm-up on
 * @param creditsSent credits that the receiving ends sent for all messages; 0 for protocols without
 */
public record MessagesResult(
        String id, int connections, long messages, Percentiles completionNanos, double goodputBps, long creditsSent) {}
