package io.weir.bench.latency;

/**
 * What one run gave.
 *
 * @param count round trips measured
 * @param p50Nanos the median round trip
 * @param p90Nanos the 90th percentile
 * @param p99Nanos the 99th percentile
 * @param p999Nanos the 99.9th percentile
 * @param offCorePercent the largest share of the time for which one of the threads waited for a core
 */
record LatencyResult(long count, long p50Nanos, long p90Nanos, long p99Nanos, long p999Nanos, double offCorePercent) {}
