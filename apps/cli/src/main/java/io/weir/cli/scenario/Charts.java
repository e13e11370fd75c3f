package io.weir.cli.scenario;

import io.weir.transport.scenario.result.FlowResult;
import io.weir.transport.scenario.result.ScenarioResult;
import io.weir.transport.scenario.result.Series;
import java.awt.Color;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.BitmapEncoder.BitmapFormat;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.VectorGraphicsEncoder.VectorGraphicsFormat;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Charts of a result: goodput and queues over time, and the distribution of completion times. */
final class Charts {
    private static final int WIDTH = 900;
    private static final int HEIGHT = 540;
    private static final int LINES_MAX = 16;
    private static final double NANOS_PER_MICRO = 1e3;
    private static final double NANOS_PER_MILLI = 1e6;
    private static final double BITS_PER_GIGABIT = 1e9;
    private static final double BYTES_PER_KILOBYTE = 1e3;

    private final Path folder;
    private final ScenarioResult result;

    Charts(Path folder, ScenarioResult result) {
        this.folder = folder;
        this.result = result;
    }

    /** Draws those that there are figures for, without a display. */
    void draw() throws IOException {
        if (result.series() != null && !result.series().totalGoodputBps().isEmpty()) {
            write("goodput", goodput(result.series()));
            if (!result.series().ports().isEmpty()) {
                write("queues", queues(result.series()));
            }
        }
        List<Double> completions = completions();
        if (!completions.isEmpty()) {
            write("completion-times", distribution(completions));
        }
    }

    private void write(String name, XYChart chart) throws IOException {
        String file = folder.resolve(name).toString();
        VectorGraphicsEncoder.saveVectorGraphic(chart, file, VectorGraphicsFormat.SVG);
        BitmapEncoder.saveBitmap(chart, file, BitmapFormat.PNG);
    }

    private XYChart chart(String title, String x, String y) {
        XYChart chart = new XYChartBuilder()
                .width(WIDTH)
                .height(HEIGHT)
                .title(result.scenario() + ": " + title)
                .xAxisTitle(x)
                .yAxisTitle(y)
                .build();
        chart.getStyler().setChartBackgroundColor(Color.WHITE);
        return chart;
    }

    private XYChart goodput(Series series) {
        XYChart chart = chart("goodput", "time (ms)", "goodput (Gbit/s)");
        add(chart, "all flows", series, series.totalGoodputBps(), BITS_PER_GIGABIT);
        series.flows().stream()
                .sorted(Comparator.comparingDouble(flow -> -sum(flow.goodputBps())))
                .limit(LINES_MAX)
                .forEach(flow -> add(chart, flow.id(), series, flow.goodputBps(), BITS_PER_GIGABIT));
        return chart;
    }

    private XYChart queues(Series series) {
        XYChart chart = chart("longest data queue of each interval", "time (ms)", "queue (KB)");
        series.ports().stream()
                .sorted(Comparator.comparingDouble(port -> -sum(port.queueBytes())))
                .limit(LINES_MAX)
                .forEach(port ->
                        add(chart, port.node() + " > " + port.port(), series, port.queueBytes(), BYTES_PER_KILOBYTE));
        return chart;
    }

    private static double sum(List<? extends Number> values) {
        return values.stream().mapToDouble(Number::doubleValue).sum();
    }

    private static void add(XYChart chart, String name, Series series, List<? extends Number> values, double unit) {
        double[] x = new double[values.size()];
        double[] y = new double[values.size()];
        for (int i = 0; i < x.length; i++) {
            x[i] = (i + 1) * series.intervalNanos() / NANOS_PER_MILLI;
            y[i] = values.get(i).doubleValue() / unit;
        }
        chart.addSeries(name, x, y).setMarker(SeriesMarkers.NONE);
    }

    private List<Double> completions() {
        List<Double> micros = new ArrayList<>();
        for (FlowResult flow : result.flows()) {
            if (flow.completionNanos() != null) {
                micros.add(flow.completionNanos() / NANOS_PER_MICRO);
            }
        }
        Collections.sort(micros);
        return micros;
    }

    private XYChart distribution(List<Double> sorted) {
        XYChart chart = chart("completion times", "completion time (us)", "share of flows");
        double[] x = new double[sorted.size()];
        double[] y = new double[sorted.size()];
        for (int i = 0; i < x.length; i++) {
            x[i] = sorted.get(i);
            y[i] = (i + 1.0) / x.length;
        }
        chart.getStyler().setXAxisLogarithmic(x[0] > 0 && x[x.length - 1] > 2 * x[0]);
        chart.getStyler().setLegendVisible(false);
        chart.addSeries("flows", x, y).setMarker(SeriesMarkers.NONE);
        return chart;
    }
}
