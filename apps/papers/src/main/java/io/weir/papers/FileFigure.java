package io.weir.papers;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A figure that is a file.
 *
 * @param id its name
 * @param title what the paper shows there
 * @param settings the circumstances at each scale
 * @param file the scenario of the runs of points that name none
 * @param lines what is compared
 * @param points the places along, at each scale
 * @param values what remains of a run, at each scale
 * @param claims what is claimed
 * @param charts what is drawn
 * @param tables what stands there in numbers
 */
record FileFigure(
        String id,
        String title,
        Map<Scale, Setting> settings,
        String file,
        List<Line> lines,
        Map<Scale, List<Point>> points,
        Map<Scale, ResultValues> values,
        List<StatedClaim> claims,
        List<StatedChart> charts,
        List<StatedTable> tables)
        implements Figure {

    /**
     * One of what is compared.
     *
     * @param key what expressions call it
     * @param name what the legend and the runs call it
     * @param settings what makes it of the scenario
     * @param share a number of the line: the most that data can take of a link
     */
    record Line(String key, String name, List<String> settings, double share) {}

    /**
     * A place along.
     *
     * @param name what expressions call it
     * @param run what it adds to the name of a run
     * @param number the name as a number, NaN if it is none
     * @param file its scenario
     * @param onlyLines the keys of the lines that have it, or none if all have
     * @param settings what it sets
     */
    record Point(String name, String run, double number, String file, List<String> onlyLines, List<String> settings) {
        /** {@return whether a line has this point} */
        boolean isOf(Line line) {
            return onlyLines.isEmpty() || onlyLines.contains(line.key());
        }
    }

    /**
     * A claim, for each of some lines.
     *
     * @param each the lines that {@code $each} and {@code $name} stand for, or one that is null
     * @param text id, statement and the paper's value
     * @param value what is measured
     * @param joined what stands between several values, of which nothing is demanded
     * @param low the limit below, or null
     * @param high the limit above, or null
     * @param course what values must do from one to the next, in words that begin with falls or rises; or null
     * @param units how values are printed, one by one; the last is that of all further ones
     */
    record StatedClaim(
            List<Line> each,
            Claim.Draft text,
            String value,
            String joined,
            String low,
            String high,
            String course,
            List<Unit> units) {
        private Claim judge(String figure, Line line, Measured measured) {
            Claim.Draft draft = Claim.about(
                    figure + "/" + filled(text.id(), line),
                    filled(text.statement(), line),
                    filled(text.paperValue(), line));
            if (course != null) {
                return course(draft, measured.values(filled(value, line)));
            }
            if (low == null && high == null) {
                return draft.reported(print(measured.values(filled(value, line))));
            }
            return draft.within(
                    measured.value(filled(value, line)),
                    low == null ? Double.NEGATIVE_INFINITY : measured.value(filled(low, line)),
                    high == null ? Double.POSITIVE_INFINITY : measured.value(filled(high, line)),
                    units.get(0));
        }

        private String print(List<Double> values) {
            List<String> printed = new ArrayList<>();
            for (int i = 0; i < values.size(); i++) {
                printed.add(units.get(Math.min(i, units.size() - 1)).print(values.get(i)));
            }
            return String.join(joined, printed);
        }

        private Claim course(Claim.Draft draft, List<Double> course) {
            boolean isFalling = this.course.startsWith(FALLS);
            boolean isMet = true;
            for (int i = 1; i < course.size(); i++) {
                isMet &= isFalling ? course.get(i) < course.get(i - 1) : course.get(i) > course.get(i - 1);
            }
            String found = isFalling == isMet ? "it falls" : "it rises";
            return draft.holds(isMet, isMet ? found : found + " somewhere", this.course, "");
        }
    }

    /**
     * A chart.
     *
     * @param title what it shows
     * @param kind how it is drawn
     * @param x the axis along; categories may be {@link #LINES} or {@link #POINTS}
     * @param y the axis up
     * @param at the places along
     * @param series the expression of each, by name
     */
    record StatedChart(String title, Chart.Kind kind, Axis x, Axis y, String at, Map<String, String> series) {
        private Chart draw(Measured measured) {
            List<ChartSeries> drawn = new ArrayList<>();
            series.forEach((name, expression) -> {
                List<Double> heights = measured.values(expression);
                drawn.add(
                        x.categories().isEmpty()
                                ? new ChartSeries(name, measured.values(at), heights)
                                : ChartSeries.bars(
                                        name,
                                        heights.stream()
                                                .map(height -> Double.isFinite(height) ? height : 0)
                                                .toList()));
            });
            List<String> categories = x.categories().equals(List.of(LINES))
                    ? measured.lines().stream().map(Line::name).toList()
                    : x.categories().equals(List.of(POINTS))
                            ? measured.points().stream().map(Point::name).toList()
                            : x.categories();
            return new Chart(title, kind, new Axis(x.title(), x.isLogarithmic(), categories), y, drawn);
        }
    }

    /**
     * A table with a row for each line, or for each point.
     *
     * @param title what it shows
     * @param isByLine whether rows are lines
     * @param head the heading of the first column
     * @param columns the others
     */
    record StatedTable(String title, boolean isByLine, String head, List<Column> columns) {
        private Table print(Measured measured) {
            List<String> headings = new ArrayList<>(List.of(head));
            columns.forEach(column -> headings.add(column.head()));
            List<List<String>> rows = new ArrayList<>();
            if (isByLine) {
                measured.lines().forEach(line -> rows.add(row(line.name(), "$each", line.key(), measured)));
            } else {
                measured.points().forEach(point -> rows.add(row(point.name(), "$point", point.name(), measured)));
            }
            return new Table(title, headings, rows);
        }

        private List<String> row(String name, String variable, String value, Measured measured) {
            List<String> row = new ArrayList<>(List.of(name));
            for (Column column : columns) {
                double cell = measured.value(column.value().replace(variable, value));
                row.add(Double.isNaN(cell) ? "-" : column.unit().print(cell));
            }
            return row;
        }
    }

    /**
     * A column of a table.
     *
     * @param head its heading
     * @param value the expression of a cell
     * @param unit how it is printed
     */
    record Column(String head, String value, Unit unit) {}

    /** What a claim's course begins with. */
    static final String FALLS = "falls";

    /** What a claim's course begins with. */
    static final String RISES = "rises";

    /** For categories: the names of the lines. */
    static final String LINES = "lines";

    /** For categories: the names of the points. */
    static final String POINTS = "points";

    private static String filled(String text, Line line) {
        return line == null ? text : text.replace("$each", line.key()).replace("$name", line.name());
    }

    @Override
    public Setting setting(Scale scale) {
        return settings.get(scale);
    }

    @Override
    public List<PaperRun<?>> runs(Scale scale) {
        List<PaperRun<?>> runs = new ArrayList<>();
        for (Line line : lines) {
            points.get(scale).stream()
                    .filter(point -> point.isOf(line))
                    .forEach(point -> runs.add(run(line, point, scale)));
        }
        return runs;
    }

    private PaperRun<Map<String, List<Double>>> run(Line line, Point point, Scale scale) {
        List<String> all = new ArrayList<>();
        line.settings().forEach(setting -> all.add(setting.replace("$point", point.name())));
        all.addAll(point.settings());
        return new PaperRun<>((line.name() + " " + point.run()).strip(), point.file(), all, values.get(scale));
    }

    @Override
    public Findings evaluate(RunResults results, Scale scale) {
        Measured measured =
                new Measured(lines, points.get(scale), (line, point) -> results.get(run(line, point, scale)));
        return new Findings(
                claims.stream()
                        .flatMap(claim -> claim.each().stream().map(line -> claim.judge(id, line, measured)))
                        .map(Claim::explained)
                        .toList(),
                charts.stream().map(chart -> chart.draw(measured)).toList(),
                tables.stream().map(table -> table.print(measured)).toList());
    }
}
