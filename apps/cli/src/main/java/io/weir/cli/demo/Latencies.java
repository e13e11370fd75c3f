package io.weir.cli.demo;

import org.HdrHistogram.Histogram;

/**
 * Round-trip times of an exchange of messages.
 *
 * @param count how many there were
 * @param p50Nanos the median
 * @param p99Nanos the 99th percentile
 * @param p999Nanos the 99.9th percentile
 * @param maxNanos the longest
 */
record Latencies(long count, long p50Nanos, long p99Nanos, long p999Nanos, long maxNanos) {
    private static final long NANOS_MAX = 10_000_000_000L;

    static Histogram newHistogram() {
        return new Histogram(NANOS_MAX, 3);
    }

    static void record(Histogram histogram, long nanos) {
        histogram.recordValue(Math.min(nanos, NANOS_MAX));
    }

    static Latencies of(Histogram nanos) {
        return new Latencies(
                nanos.getTotalCount(),
                nanos.getValueAtPercentile(50),
                nanos.getValueAtPercentile(99),
                nanos.getValueAtPercentile(99.9),
                nanos.getMaxValue());
    }
}
