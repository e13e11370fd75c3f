package io.weir.cli.perf;

import org.HdrHistogram.Histogram;

/**
 * How long requests took until their response was there.
 *
 * @param count how many there were
 * @param minNanos the shortest
 * @param meanNanos their mean
 * @param p50Nanos half took no longer
 * @param p90Nanos nine in ten took no longer
 * @param p99Nanos 99 in a hundred took no longer
 * @param p999Nanos 999 in a thousand took no longer
 * @param p9999Nanos 9,999 in ten thousand took no longer
 * @param maxNanos the longest
 */
record Latency(
        long count,
        long minNanos,
        double meanNanos,
        long p50Nanos,
        long p90Nanos,
        long p99Nanos,
        long p999Nanos,
        long p9999Nanos,
        long maxNanos) {
    private static final long NANOS_MAX = 60_000_000_000L;
    private static final int DIGITS = 3;

    static Histogram newHistogram() {
        return new Histogram(1, NANOS_MAX, DIGITS);
    }

    /** Notes one latency; what is beyond the histogram counts as its highest. */
    static void record(Histogram histogram, long nanos) {
        histogram.recordValue(Math.max(1, Math.min(NANOS_MAX, nanos)));
    }

    static Latency of(Histogram histogram) {
        boolean isEmpty = histogram.getTotalCount() == 0;
        return new Latency(
                histogram.getTotalCount(),
                isEmpty ? 0 : histogram.getMinValue(),
                isEmpty ? 0 : histogram.getMean(),
                histogram.getValueAtPercentile(50),
                histogram.getValueAtPercentile(90),
                histogram.getValueAtPercentile(99),
                histogram.getValueAtPercentile(99.9),
                histogram.getValueAtPercentile(99.99),
                histogram.getMaxValue());
    }
}
