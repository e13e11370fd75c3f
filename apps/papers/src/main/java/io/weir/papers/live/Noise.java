package io.weir.papers.live;

import io.weir.papers.ChartSeries;
import io.weir.papers.Statistics;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * How values scatter, in microseconds.
 *
 * @param count how many there were
 * @param min the least
 * @param max the largest
 * @param deviation the standard deviation
 * @param middleHalf the distance between the lower and the upper quartile
 */
record Noise(int count, double min, double max, double deviation, double middleHalf) {
    private static final int POINTS = 200;

    /** {@return that of these values; of none, nothing is a number} */
    static Noise of(List<Double> values) {
        double mean = Statistics.mean(values);
        double squares = values.stream()
                .mapToDouble(value -> (value - mean) * (value - mean))
                .average()
                .orElse(Double.NaN);
        List<Double> sorted = values.stream().sorted().toList();
        return new Noise(
                values.size(),
                Statistics.min(values),
                Statistics.max(values),
                Math.sqrt(squares),
                values.isEmpty() ? Double.NaN : at(sorted, 0.75) - at(sorted, 0.25));
    }

    /** {@return which share of the values is how large at most, as points of a curve} */
    static ChartSeries distribution(String name, List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        List<Double> x = new ArrayList<>();
        List<Double> y = new ArrayList<>();
        for (int i = 0; i <= POINTS && !sorted.isEmpty(); i++) {
            double share = (double) i / POINTS;
            x.add(at(sorted, share));
            y.add(share);
        }
        return new ChartSeries(name, x, y);
    }

    private static double at(List<Double> sorted, double share) {
        return sorted.get((int) Math.min(sorted.size() - 1, Math.floor(share * sorted.size())));
    }

    double range() {
        return max - min;
    }

    /** {@return the cells of a table: count, least, largest, middle half, deviation} */
    List<String> cells() {
        return List.of(Integer.toString(count), text(min), text(max), text(middleHalf), text(deviation));
    }

    private static String text(double micros) {
        return String.format(Locale.ROOT, "%.2f us", micros);
    }
}
