package io.weir.bench.compare;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Draws findings as SVG elements that need nothing else. Colours come from the page. */
final class CompareCharts {
    private static final int WIDTH = 860;
    private static final int LEFT = 260;
    private static final int RIGHT = 110;
    private static final int ROW = 24;
    private static final int BAR = 14;
    private static final int TOP = 30;
    private static final int RAMP_HEIGHT = 280;
    private static final int LEGEND_ROW = 18;
    private static final int LEGEND_COLUMNS = 2;
    private static final int COLOURS = 8;

    private CompareCharts() {}

    /** {@return one bar for each row: the median, and a line from the smallest to the largest} */
    static String bars(Measure measure, List<CompareFindings.Row> rows) {
        double max = rows.stream().mapToDouble(row -> row.value().max()).max().orElse(1);
        Drawing drawing = new Drawing(WIDTH, TOP + ROW * rows.size() + 8);
        drawing.text(
                0,
                18,
                "title",
                measure.labelWithUnit() + (measure.isMoreBetter() ? ": more is better" : ": less is better"));
        int y = TOP;
        for (CompareFindings.Row row : rows) {
            Spread value = row.value();
            drawing.text(LEFT - 8, y + BAR - 2, "name", row.rival().label());
            drawing.box(LEFT, y, scaled(value.median(), max), BAR, row.rival().isWeir() ? "ours" : "theirs");
            drawing.line(
                    LEFT + scaled(value.min(), max),
                    y + BAR / 2.0,
                    LEFT + scaled(value.max(), max),
                    y + BAR / 2.0,
                    "spread");
            drawing.text(LEFT + scaled(value.max(), max) + 6, y + BAR - 2, "value", measure.text(value.median()));
            y += ROW;
        }
        return drawing.svg(measure.label());
    }

    private static double scaled(double value, double max) {
        return max <= 0 ? 0 : value / max * (WIDTH - LEFT - RIGHT);
    }

    /**
     * {@return the medians of percentiles on a logarithmic axis: a line for each subject, a dot for each percentile}
     */
    static String percentiles(List<CompareFindings.Row> rows) {
        List<Measure> measures = List.of(Measure.P50, Measure.P99, Measure.P999, Measure.P9999);
        Map<Rival, List<Double>> micros = new LinkedHashMap<>();
        for (Measure measure : measures) {
            rows.stream().filter(row -> row.measure() == measure).forEach(row -> micros.computeIfAbsent(
                            row.rival(), rival -> new ArrayList<>())
                    .add(Math.max(1e-2, measure.inUnit(row.value().median()))));
        }
        List<Double> all = micros.values().stream().flatMap(List::stream).toList();
        double low =
                Math.floor(Math.log10(all.stream().mapToDouble(v -> v).min().orElse(1)));
        double high = Math.max(
                low + 1,
                Math.ceil(Math.log10(all.stream().mapToDouble(v -> v).max().orElse(1))));
        Drawing drawing = new Drawing(WIDTH, TOP + ROW * (micros.size() + 1) + 8);
        drawing.text(0, 18, "title", "p50, p99, p99.9, p99.99, us, on a logarithmic axis");
        for (double power = low; power <= high; power++) {
            double x = logarithmic(Math.pow(10, power), low, high);
            drawing.line(x, TOP, x, TOP + ROW * micros.size(), "grid");
            drawing.text(x, TOP + ROW * micros.size() + 16, "tick", Measure.digits(Math.pow(10, power)));
        }
        int y = TOP;
        for (Map.Entry<Rival, List<Double>> entry : micros.entrySet()) {
            List<Double> values = entry.getValue();
            String colour = entry.getKey().isWeir() ? "ours" : "theirs";
            drawing.text(LEFT - 8, y + BAR - 2, "name", entry.getKey().label());
            drawing.line(
                    logarithmic(values.get(0), low, high),
                    y + BAR / 2.0,
                    logarithmic(values.get(values.size() - 1), low, high),
                    y + BAR / 2.0,
                    "spread");
            values.forEach(new DotRow(drawing, y + BAR / 2.0, colour, low, high)::add);
            y += ROW;
        }
        return drawing.svg("percentiles of round trips");
    }

    /** Where dots of one row go. */
    private record DotRow(Drawing drawing, double y, String colour, double low, double high) {
        void add(double value) {
            drawing.dot(logarithmic(value, low, high), y, colour);
        }
    }

    private static double logarithmic(double value, double low, double high) {
        return LEFT + (Math.log10(value) - low) / (high - low) * (WIDTH - LEFT - RIGHT);
    }

    /** {@return goodput in each second from the client's open port on} */
    static String ramps(Map<String, List<Double>> ramps) {
        double max = ramps.values().stream()
                .flatMap(List::stream)
                .mapToDouble(Measure.GOODPUT::inUnit)
                .max()
                .orElse(1);
        int seconds = ramps.values().stream().mapToInt(List::size).max().orElse(1);
        int legendRows = (ramps.size() + LEGEND_COLUMNS - 1) / LEGEND_COLUMNS;
        Drawing drawing = new Drawing(WIDTH, TOP + RAMP_HEIGHT + 40 + LEGEND_ROW * legendRows);
        drawing.text(0, 18, "title", "goodput, Gbps, in each second after the client's port was open");
        for (int part = 0; part <= 4; part++) {
            double y = TOP + RAMP_HEIGHT * (1 - part / 4.0);
            drawing.line(40, y, WIDTH - 10.0, y, "grid");
            drawing.text(36, y + 4, "name", Measure.digits(max * part / 4));
        }
        for (int second = 1; second <= seconds; second++) {
            drawing.text(rampX(second, seconds), TOP + RAMP_HEIGHT + 16.0, "tick", Integer.toString(second));
        }
        int index = 0;
        for (Map.Entry<String, List<Double>> ramp : ramps.entrySet()) {
            String style = "line c" + index % COLOURS + (index >= COLOURS ? " dashed" : "");
            StringBuilder points = new StringBuilder();
            for (int i = 0; i < ramp.getValue().size(); i++) {
                double y = TOP
                        + RAMP_HEIGHT
                                * (1 - Measure.GOODPUT.inUnit(ramp.getValue().get(i)) / max);
                points.append(number(rampX(i + 1, seconds)))
                        .append(',')
                        .append(number(y))
                        .append(' ');
            }
            drawing.path(points.toString().strip(), style);
            int x = 40 + index % LEGEND_COLUMNS * (WIDTH / LEGEND_COLUMNS);
            int y = TOP + RAMP_HEIGHT + 40 + index / LEGEND_COLUMNS * LEGEND_ROW;
            drawing.path(x + "," + (y - 4) + " " + (x + 24) + "," + (y - 4), style);
            drawing.text(x + 30, y, "value", ramp.getKey());
            index++;
        }
        return drawing.svg("goodput by second");
    }

    private static double rampX(int second, int seconds) {
        return seconds == 1 ? WIDTH / 2.0 : 60 + (second - 1.0) / (seconds - 1) * (WIDTH - 90);
    }

    static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }

    /** Elements of one drawing. */
    private static final class Drawing {
        private final int width;
        private final int height;
        private final StringBuilder elements = new StringBuilder();

        Drawing(int width, int height) {
            this.width = width;
            this.height = height;
        }

        void text(double x, double y, String style, String text) {
            elements.append("<text class=\"" + style + "\" x=\"" + number(x) + "\" y=\"" + number(y) + "\">"
                    + escaped(text) + "</text>\n");
        }

        void box(double x, double y, double boxWidth, double boxHeight, String style) {
            elements.append("<rect class=\"" + style + "\" x=\"" + number(x) + "\" y=\"" + number(y) + "\" width=\""
                    + number(boxWidth) + "\" height=\"" + number(boxHeight) + "\"/>\n");
        }

        void line(double x1, double y1, double x2, double y2, String style) {
            elements.append("<line class=\"" + style + "\" x1=\"" + number(x1) + "\" y1=\"" + number(y1) + "\" x2=\""
                    + number(x2) + "\" y2=\"" + number(y2) + "\"/>\n");
        }

        void dot(double x, double y, String style) {
            elements.append(
                    "<circle class=\"" + style + "\" cx=\"" + number(x) + "\" cy=\"" + number(y) + "\" r=\"4\"/>\n");
        }

        void path(String points, String style) {
            elements.append("<polyline class=\"" + style + "\" points=\"" + points + "\"/>\n");
        }

        String svg(String label) {
            return "<svg role=\"img\" aria-label=\"" + escaped(label) + "\" viewBox=\"0 0 " + width + " " + height
                    + "\" xmlns=\"http://www.w3.org/2000/svg\">\n" + elements + "</svg>\n";
        }
    }
}
