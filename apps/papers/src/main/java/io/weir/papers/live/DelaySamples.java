package io.weir.papers.live;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * What acknowledgements told of delays: kept by the loop's thread while it runs, read after it has ended. Those that a
 * loop's absence from its core may have delayed are counted and not kept: they tell of this machine's other work.
 */
final class DelaySamples {
    private static final int SAMPLES_MAX = 1 << 20;

    private final long[] atNanos = new long[SAMPLES_MAX];
    private final int[] roundTripsNanos = new int[SAMPLES_MAX];
    private final int[] oneWaysNanos = new int[SAMPLES_MAX];
    private LongSupplier calmNanos = () -> 0;
    private int count;
    private long stalledCount;

    /** Says since when all loops have been at work. Before anything is added. */
    void watch(LongSupplier calm) {
        calmNanos = calm;
    }

    void add(long wallNanos, long roundTripNanos, int oneWayNanos) {
        if (wallNanos < calmNanos.getAsLong()) {
            stalledCount++;
        } else if (roundTripNanos > 0 && count < SAMPLES_MAX) {
            atNanos[count] = wallNanos;
            roundTripsNanos[count] = (int) roundTripNanos;
            oneWaysNanos[count] = oneWayNanos;
            count++;
        }
    }

    int count() {
        return count;
    }

    /** {@return the share of samples that were not kept} */
    double stalledShare() {
        long all = count + stalledCount;
        return all == 0 ? 0 : (double) stalledCount / all;
    }

    long atNanos(int index) {
        return atNanos[index];
    }

    int oneWayNanos(int index) {
        return oneWaysNanos[index];
    }

    /** {@return the round trips in microseconds, the first tenth left out: connections and the compiler begin there} */
    List<Double> roundTripsMicros() {
        List<Double> micros = new ArrayList<>();
        for (int i = count / 10; i < count; i++) {
            micros.add(roundTripsNanos[i] / 1e3);
        }
        return micros;
    }
}
