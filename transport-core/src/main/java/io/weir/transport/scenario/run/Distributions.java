package io.weir.transport.scenario.run;

import io.weir.transport.scenario.result.Percentiles;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/** Percentiles, exact: the smallest value that no more than the stated share of all exceeds. */
final class Distributions {
    private static final Percentiles NOTHING = new Percentiles(0, 0, 0, 0, 0, 0, 0);

    private Distributions() {}

    static Percentiles of(long[] values) {
        if (values.length == 0) {
            return NOTHING;
        }
        long[] sorted = values.clone();
        Arrays.sort(sorted);
        return new Percentiles(
                sorted.length,
                Arrays.stream(sorted).average().orElseThrow(),
                at(sorted, 0.5),
                at(sorted, 0.9),
                at(sorted, 0.99),
                at(sorted, 0.999),
                sorted[sorted.length - 1]);
    }

    private static double at(long[] sorted, double fraction) {
        return sorted[(int) Math.max(0, StrictMath.ceil(fraction * sorted.length) - 1)];
    }

    /** Values with weights: how long each lasted. */
    static final class Weighted {
        private final TreeMap<Double, Long> weights = new TreeMap<>();
        private long total;
        private double sum;

        void add(double value, long weight) {
            weights.merge(value, weight, Long::sum);
            total += weight;
            sum += value * weight;
        }

        /** {@return the percentiles; their count is the sum of the weights} */
        Percentiles percentiles() {
            return total == 0
                    ? NOTHING
                    : new Percentiles(total, sum / total, at(0.5), at(0.9), at(0.99), at(0.999), weights.lastKey());
        }

        private double at(double fraction) {
            long wanted = (long) StrictMath.ceil(fraction * total);
            long seen = 0;
            for (Map.Entry<Double, Long> entry : weights.entrySet()) {
                seen += entry.getValue();
                if (seen >= wanted) {
                    return entry.getKey();
                }
            }
            return weights.lastKey();
        }
    }
}
