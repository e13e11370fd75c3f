package io.weir.papers;

import io.weir.papers.FileFigure.Line;
import io.weir.papers.FileFigure.Point;
import io.weir.transport.node.ConfigException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The values of all runs of a figure, by names: {@code used} of every run, {@code used[dx]} of a line, {@code
 * used[dx, 10]} at one of the points, {@code used[dx, 2..64]} at points that are numbers of a range, open where a side
 * is left out, {@code used[*, 10]} of all lines. The name "point" is the list of the points that are numbers, {@code
 * share[dx]} a line's own number.
 *
 * @param lines the figure's lines
 * @param points its points at this scale
 * @param run what remains of the run of a line at a point
 */
record Measured(List<Line> lines, List<Point> points, BiFunction<Line, Point, Map<String, List<Double>>> run) {
    private static final Pattern NAME = Pattern.compile("([A-Za-z0-9]+)(?:\\[([^\\],]+)(?:,\\s*([^\\]]+))?\\])?");
    private static final Pattern RANGE = Pattern.compile("([0-9.]*[0-9])?\\.\\.([0-9.]+)?");

    List<Double> values(String expression) {
        return Expression.parse(expression).values(this::named);
    }

    double value(String expression) {
        return Expression.parse(expression).value(this::named);
    }

    private List<Double> named(String name) {
        if (name.equals("point")) {
            return points.stream().map(Point::number).filter(Double::isFinite).toList();
        }
        Matcher matcher = NAME.matcher(name);
        if (!matcher.matches()) {
            throw new ConfigException("\"" + name + "\" is no value; write it as in used, used[dx] or used[dx, 10]");
        }
        List<Double> values = new ArrayList<>();
        for (Line line : chosen(matcher.group(2))) {
            if (matcher.group(1).equals("share")) {
                values.add(line.share());
                continue;
            }
            for (Point point : at(line, matcher.group(3))) {
                List<Double> found = run.apply(line, point).get(matcher.group(1));
                if (found == null) {
                    throw new ConfigException("\"" + name + "\": the figure's values have no " + matcher.group(1));
                }
                values.addAll(found);
            }
        }
        return values;
    }

    private List<Line> chosen(String key) {
        if (key == null || key.equals("*")) {
            return lines;
        }
        return List.of(lines.stream()
                .filter(line -> line.key().equals(key))
                .findFirst()
                .orElseThrow(() -> new ConfigException("\"" + key + "\" is none of the figure's lines")));
    }

    private List<Point> at(Line line, String which) {
        return at(which).stream().filter(point -> point.isOf(line)).toList();
    }

    private List<Point> at(String which) {
        if (which == null) {
            return points;
        }
        Matcher range = RANGE.matcher(which);
        if (range.matches()) {
            double from = range.group(1) == null ? Double.NEGATIVE_INFINITY : Double.parseDouble(range.group(1));
            double to = range.group(2) == null ? Double.POSITIVE_INFINITY : Double.parseDouble(range.group(2));
            return points.stream()
                    .filter(point -> point.number() >= from && point.number() <= to)
                    .toList();
        }
        return List.of(points.stream()
                .filter(point -> point.name().equals(which))
                .findFirst()
                .orElseThrow(() -> new ConfigException("\"" + which + "\" is none of the figure's points")));
    }
}
