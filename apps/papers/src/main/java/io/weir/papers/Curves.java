package io.weir.papers;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Collects the points of a chart's lines, in the order in which the lines first appear. */
public final class Curves {
    private final Map<String, List<Double>> x = new LinkedHashMap<>();
    private final Map<String, List<Double>> y = new LinkedHashMap<>();

    /** Creates one without points. */
    public Curves() {}

    /** Adds a point to a line. */
    public Curves add(String name, double atX, double atY) {
        x.computeIfAbsent(name, unused -> new ArrayList<>()).add(atX);
        y.computeIfAbsent(name, unused -> new ArrayList<>()).add(atY);
        return this;
    }

    /** {@return the values of a line so far, none if it has no point} */
    public List<Double> values(String name) {
        return List.copyOf(y.getOrDefault(name, List.of()));
    }

    /** {@return the lines} */
    public List<ChartSeries> series() {
        return x.keySet().stream()
                .map(name -> new ChartSeries(name, x.get(name), y.get(name)))
                .toList();
    }
}
