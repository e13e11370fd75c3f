package io.weir.cli.demo;

import org.HdrHistogram.Histogram;

/**
 * Round-trip times of an exchange of messages. Without any, there are no percentiles.
 *
 * @param count how many there were
 * @param p50Nanos the median, or null
 * @param p99Nanos the 99th percentile, or null
 * @param p999Nanos the 99.9th percentile, or null
 * @param maxNanos the longest, or null
 * @param pauses loops off their cores meanwhile
 */
record Latencies(long count, Long p50Nanos, Long p99Nanos, Long p999Nanos, Long maxNanos, DemoPauses pauses) {
    static Latencies of(Histogram nanos, DemoPauses pauses) {
        if (nanos.getTotalCount() == 0) {
            return new Latencies(0, null, null, null, null, pauses);
        }
        return new Latencies(
                nanos.getTotalCount(),
                nanos.getValueAtPercentile(50),
                nanos.getValueAtPercentile(99),
                nanos.getValueAtPercentile(99.9),
                nanos.getMaxValue(),
                pauses);
    }
}
