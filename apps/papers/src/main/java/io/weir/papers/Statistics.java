package io.weir.papers;

import java.util.List;
import java.util.stream.DoubleStream;

/** Figures that stand for many values. Of no values they are NaN, with which no claim is met. */
public final class Statistics {
    private Statistics() {}

    /** {@return the value in the middle, or the mean of the two there} */
    public static double median(List<Double> values) {
        if (values.isEmpty()) {
            return Double.NaN;
        }
        double[] sorted =
                values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    /** {@return the mean} */
    public static double mean(List<Double> values) {
        return stream(values).average().orElse(Double.NaN);
    }

    /** {@return the largest value} */
    public static double max(List<Double> values) {
        return stream(values).max().orElse(Double.NaN);
    }

    /** {@return the smallest value} */
    public static double min(List<Double> values) {
        return stream(values).min().orElse(Double.NaN);
    }

    /** {@return Jain's index: 1 when all have the same, 1/n when one of n has everything; 1 when none has anything} */
    public static double jain(List<Double> values) {
        if (values.isEmpty()) {
            return Double.NaN;
        }
        double sum = stream(values).sum();
        double squares = stream(values).map(value -> value * value).sum();
        return squares == 0 ? 1 : sum * sum / (values.size() * squares);
    }

    /** {@return the least value that 99 % of them do not exceed} */
    public static double p99(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        return sorted.isEmpty() ? Double.NaN : sorted.get((int) Math.ceil(0.99 * sorted.size()) - 1);
    }

    /**
     * {@return by how much the values rise from one to a later one at most, as a share of the former; 0 if they never
     * do}
     */
    public static double largestRise(List<Double> values) {
        double rise = 0;
        double least = Double.POSITIVE_INFINITY;
        for (double value : values) {
            rise = Math.max(rise, value / least - 1);
            least = Math.min(least, value);
        }
        return rise;
    }

    private static DoubleStream stream(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue);
    }
}
