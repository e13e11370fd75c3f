package io.weir.papers.report;

import io.weir.papers.Axis;
import io.weir.papers.ChartSeries;
import java.util.ArrayList;
import java.util.List;

/**
 * The points of a series that are drawn: those that have a place on the axes, and of very many the least and the
 * largest of each stretch, which look the same.
 *
 * @param x the places along
 * @param y the values
 */
record Points(List<Double> x, List<Double> y) {
    /** More than this cannot be told apart in the width of a chart. */
    static final int COUNT_MAX = 800;

    static Points of(ChartSeries series, Axis xAxis, Axis yAxis) {
        Points points = new Points(new ArrayList<>(), new ArrayList<>());
        for (int i = 0; i < series.x().size(); i++) {
            double x = series.x().get(i);
            double y = series.y().get(i);
            if (hasPlace(x, xAxis) && hasPlace(y, yAxis)) {
                points.add(x, y);
            }
        }
        return points.x().size() <= COUNT_MAX ? points : points.thinned();
    }

    /** {@return whether an axis has a place for a value} */
    static boolean hasPlace(double value, Axis axis) {
        return Double.isFinite(value) && (value > 0 || !axis.isLogarithmic());
    }

    boolean isEmpty() {
        return x.isEmpty();
    }

    private void add(double newX, double newY) {
        x.add(newX);
        y.add(newY);
    }

    private Points thinned() {
        Points thin = new Points(new ArrayList<>(), new ArrayList<>());
        int stretches = COUNT_MAX / 2;
        for (int i = 0; i < stretches; i++) {
            int from = (int) ((long) i * x.size() / stretches);
            int to = (int) ((i + 1L) * x.size() / stretches);
            int least = from;
            int largest = from;
            for (int j = from + 1; j < to; j++) {
                least = y.get(j) < y.get(least) ? j : least;
                largest = y.get(j) > y.get(largest) ? j : largest;
            }
            thin.add(x.get(Math.min(least, largest)), y.get(Math.min(least, largest)));
            thin.add(x.get(Math.max(least, largest)), y.get(Math.max(least, largest)));
        }
        return thin;
    }
}
