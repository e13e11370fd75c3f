package io.weir.bench.compare;

import java.util.Arrays;
import java.util.Collection;

/**
 * Several values of the same thing.
 *
 * @param count how many
 * @param min the smallest
 * @param lowerQuartile a quarter is not above it
 * @param median half are not above it
 * @param upperQuartile three quarters are not above it
 * @param max the largest
 */
record Spread(int count, double min, double lowerQuartile, double median, double upperQuartile, double max) {
    private static final double QUARTER = 0.25;

    /** {@return the spread of at least one value; between two values, quantiles are interpolated} */
    static Spread of(Collection<Double> values) {
        double[] sorted =
                values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        if (sorted.length == 0) {
            throw new IllegalArgumentException("no values");
        }
        return new Spread(
                sorted.length,
                sorted[0],
                quantile(sorted, QUARTER),
                quantile(sorted, 2 * QUARTER),
                quantile(sorted, 3 * QUARTER),
                sorted[sorted.length - 1]);
    }

    static Spread of(double... values) {
        return of(Arrays.stream(values).boxed().toList());
    }

    private static double quantile(double[] sorted, double fraction) {
        double at = fraction * (sorted.length - 1);
        int below = (int) at;
        int above = Math.min(below + 1, sorted.length - 1);
        return sorted[below] + (at - below) * (sorted[above] - sorted[below]);
    }
}
