package io.weir.papers;

import java.util.ArrayList;
import java.util.List;

/**
 * One line or set of bars of a chart.
 *
 * @param name what the legend calls it
 * @param x the places along; for bars, 0 and on
 * @param y the values, as many
 */
public record ChartSeries(String name, List<Double> x, List<Double> y) {
    public ChartSeries {
        x = List.copyOf(x);
        y = List.copyOf(y);
        if (x.size() != y.size() || x.isEmpty()) {
            throw new IllegalArgumentException(
                    "series \"" + name + "\" has " + x.size() + " places and " + y.size() + " values");
        }
    }

    /** {@return the heights of bars, one for each category} */
    public static ChartSeries bars(String name, List<Double> heights) {
        List<Double> x = new ArrayList<>();
        for (int i = 0; i < heights.size(); i++) {
            x.add((double) i);
        }
        return new ChartSeries(name, x, heights);
    }

    /**
     * {@return what was measured in intervals of equal length, each at its end; {@code interval} in the unit of the
     * axis}
     */
    public static ChartSeries overTime(String name, double interval, List<Double> values) {
        List<Double> x = new ArrayList<>();
        for (int i = 0; i < values.size(); i++) {
            x.add((i + 1) * interval);
        }
        return new ChartSeries(name, x, values);
    }
}
