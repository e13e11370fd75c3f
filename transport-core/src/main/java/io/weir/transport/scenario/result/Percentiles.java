package io.weir.transport.scenario.result;

/**
 * A distribution in a few figures; all 0 when there is nothing.
 *
 * @param count how many values
 * @param mean their mean
 * @param p50 the median
 * @param p90 90 % are no larger
 * @param p99 99 % are no larger
 * @param p999 99.9 % are no larger
 * @param max the largest
 */
public record Percentiles(long count, double mean, double p50, double p90, double p99, double p999, double max) {}
