package io.weir.cli.demo;

import io.weir.transport.runtime.PauseCounts;

/**
 * How often and how long a loop was off its core: it did not run for 100 us or more although it had not chosen to
 * sleep.
 *
 * @param loop which loop
 * @param count how often
 * @param offCoreFraction the share of the time
 * @param meanNanos the mean length of a pause, or null if there was none
 * @param p50Nanos the median length, or null likewise
 * @param p99Nanos the 99th percentile, or null likewise
 * @param longestNanos the longest, or null likewise
 */
record LoopPauses(
        String loop,
        long count,
        double offCoreFraction,
        Long meanNanos,
        Long p50Nanos,
        Long p99Nanos,
        Long longestNanos) {
    /**
     * {@return a loop's pauses}
     *
     * @param pauses those between two readings of its monitor
     * @param nanos the time between the readings
     */
    static LoopPauses of(String loop, PauseCounts pauses, long nanos) {
        // A pause counts as a whole when it ends, though it may have begun before the first reading.
        double fraction = nanos == 0 ? 0 : Math.min(1, (double) pauses.totalNanos() / nanos);
        long count = pauses.count();
        return count == 0
                ? new LoopPauses(loop, 0, fraction, null, null, null, null)
                : new LoopPauses(
                        loop,
                        count,
                        fraction,
                        pauses.totalNanos() / count,
                        pauses.percentileNanos(50),
                        pauses.percentileNanos(99),
                        pauses.longestNanos());
    }
}
