package io.weir.transport.runtime;

import io.weir.transport.time.LogClasses;

/** The pauses of a loop over some time: how many, how long. Immutable. */
public final class PauseCounts {
    static final LogClasses CLASSES = new LogClasses(3);

    private final long[] counts;
    private final long totalNanos;

    PauseCounts(long[] counts, long totalNanos) {
        this.counts = counts;
        this.totalNanos = totalNanos;
    }

    /** {@return pauses of these lengths} */
    public static PauseCounts of(long... pausesNanos) {
        long[] counts = new long[CLASSES.count()];
        long totalNanos = 0;
        for (long nanos : pausesNanos) {
            counts[CLASSES.of(nanos)]++;
            totalNanos += nanos;
        }
        return new PauseCounts(counts, totalNanos);
    }

    /** {@return the pauses that these have and {@code earlier}, of the same loop, does not} */
    public PauseCounts since(PauseCounts earlier) {
        long[] rest = counts.clone();
        for (int i = 0; i < rest.length; i++) {
            rest[i] -= earlier.counts[i];
        }
        return new PauseCounts(rest, totalNanos - earlier.totalNanos);
    }

    /** {@return these and those of another loop} */
    public PauseCounts plus(PauseCounts other) {
        long[] sums = counts.clone();
        for (int i = 0; i < sums.length; i++) {
            sums[i] += other.counts[i];
        }
        return new PauseCounts(sums, totalNanos + other.totalNanos);
    }

    /** {@return how many there were} */
    public long count() {
        long sum = 0;
        for (long count : counts) {
            sum += count;
        }
        return sum;
    }

    /** {@return all of them together} */
    public long totalNanos() {
        return totalNanos;
    }

    /** {@return the length that {@code percent} of them did not exceed, at most an eighth too long; 0 without any} */
    public long percentileNanos(int percent) {
        long wanted = (count() * percent + 99) / 100;
        long seen = 0;
        for (int i = 0; wanted > 0 && i < counts.length; i++) {
            seen += counts[i];
            if (seen >= wanted) {
                return CLASSES.largest(i);
            }
        }
        return 0;
    }

    /** {@return the longest, at most an eighth too long; 0 without any} */
    public long longestNanos() {
        return percentileNanos(100);
    }
}
