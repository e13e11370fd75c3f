package io.weir.cli.perf;

import io.weir.transport.node.ConfigException;
import java.awt.Color;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.BitmapEncoder.BitmapFormat;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.VectorGraphicsEncoder.VectorGraphicsFormat;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;

/** Draws how much longer messages took than alone, by their size, as Homa's authors do. */
final class SlowdownChart {
    private static final int WIDTH = 900;
    private static final int HEIGHT = 540;

    private SlowdownChart() {}

    /**
     * Draws {@code file.svg} and {@code file.png}.
     *
     * @param overKernel the same over the kernel's TCP, or null
     */
    static void draw(Path file, WorkloadReport report, WorkloadReport overKernel) {
        XYChart chart = new XYChartBuilder()
                .width(WIDTH)
                .height(HEIGHT)
                .title(report.load().workload() + " at " + report.load().asked() + " of the link")
                .xAxisTitle("message size (bytes), a tenth of the messages each")
                .yAxisTitle("slowdown")
                .build();
        chart.getStyler().setChartBackgroundColor(Color.WHITE);
        chart.getStyler().setXAxisLogarithmic(true);
        chart.getStyler().setYAxisLogarithmic(true);
        String name = overKernel == null ? "" : "Weir, ";
        add(chart, name + "p99", report, WorkloadReport.Sizes::p99Slowdown);
        add(chart, name + "p50", report, WorkloadReport.Sizes::p50Slowdown);
        if (overKernel != null) {
            add(chart, "kernel TCP, p99", overKernel, WorkloadReport.Sizes::p99Slowdown);
            add(chart, "kernel TCP, p50", overKernel, WorkloadReport.Sizes::p50Slowdown);
        }
        try {
            VectorGraphicsEncoder.saveVectorGraphic(chart, file.toString(), VectorGraphicsFormat.SVG);
            BitmapEncoder.saveBitmap(chart, file.toString(), BitmapFormat.PNG);
        } catch (IOException e) {
            throw new ConfigException(
                    "--chart " + file + " cannot be written: " + e
                            + "; name a file in a directory that exists and may be" + " written to",
                    e);
        }
    }

    private static void add(
            XYChart chart, String name, WorkloadReport report, ToDoubleFunction<WorkloadReport.Sizes> figure) {
        List<WorkloadReport.Sizes> sizes = report.sizes();
        if (!sizes.isEmpty()) {
            chart.addSeries(
                    name,
                    sizes.stream().mapToDouble(WorkloadReport.Sizes::bytesMax).toArray(),
                    sizes.stream()
                            .mapToDouble(one -> Math.max(1, figure.applyAsDouble(one)))
                            .toArray());
        }
    }
}
