package io.weir.papers;

import java.util.List;

/**
 * A drawing, as data.
 *
 * @param title what it shows
 * @param kind how it is drawn
 * @param x the axis along
 * @param y the axis up
 * @param series what is drawn, each in its own colour
 */
public record Chart(String title, Kind kind, Axis x, Axis y, List<ChartSeries> series) {
    /** How a chart is drawn. */
    public enum Kind {
        /** Points joined by lines, each point marked. */
        LINES,
        /** Lines without marks, for many points, as over time. */
        CURVES,
        /** Points alone. */
        POINTS,
        /** A bar for each series next to the others, over the categories of the axis along. */
        BARS,
        /** The bars of the series on top of each other. */
        STACKED_BARS
    }

    /** Copies the list, and requires that there is something to draw. */
    public Chart {
        series = List.copyOf(series);
        if (series.isEmpty()) {
            throw new IllegalArgumentException("chart \"" + title + "\" has no series");
        }
        boolean isBars = kind == Kind.BARS || kind == Kind.STACKED_BARS;
        if (isBars == x.categories().isEmpty()) {
            throw new IllegalArgumentException("chart \"" + title + "\": bars, and only bars, stand over categories");
        }
    }
}
