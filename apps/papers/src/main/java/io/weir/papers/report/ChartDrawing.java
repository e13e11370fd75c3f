package io.weir.papers.report;

import io.weir.papers.Axis;
import io.weir.papers.Chart;
import io.weir.papers.ChartSeries;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.BitmapEncoder.BitmapFormat;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.VectorGraphicsEncoder.VectorGraphicsFormat;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.AxesChartStyler;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Draws a chart: as SVG with letters as outlines, so that it looks the same everywhere, and as PNG. */
final class ChartDrawing {
    private static final int WIDTH = 860;
    private static final int HEIGHT = 460;
    /** More names than these run into each other unless they are turned. */
    private static final int LEVEL_LABELS_MAX = 10;

    private static final int LABEL_DEGREES = 30;
    private static final Color GRID = new Color(0xDD, 0xDD, 0xDD);
    private static final Font TEXT = new Font(Font.SANS_SERIF, Font.PLAIN, 13);
    private static final Font TITLE = new Font(Font.SANS_SERIF, Font.BOLD, 15);

    /**
     * A tenth of a pixel is enough; the digits behind it, and the spaces around letters of paths, are most of the file.
     */
    private static final Pattern NEEDLESS_DIGITS = Pattern.compile("(\\d\\.\\d)\\d+");

    private static final Pattern NEEDLESS_SPACES =
            Pattern.compile("(?<=[\\dZ]) (?=[MLQCZ])|(?<=[MLQC]) (?=[-\\d])|(?<= )\\s+");

    private static final Pattern BEFORE_ROOT = Pattern.compile("\\A.*?(?=<svg)", Pattern.DOTALL);
    private static final Pattern ROOT = Pattern.compile("<svg[^>]*>");
    private static final Pattern PIXELS = Pattern.compile("<svg([^>]*?) height=\"\\d+px\"([^>]*?) width=\"\\d+px\"");

    private final org.knowm.xchart.internal.chartpart.Chart<?, ?> drawing;

    private ChartDrawing(org.knowm.xchart.internal.chartpart.Chart<?, ?> drawing) {
        this.drawing = drawing;
    }

    static ChartDrawing of(Chart chart) {
        boolean isBars = !chart.x().categories().isEmpty();
        return new ChartDrawing(isBars ? bars(chart) : lines(chart));
    }

    /** {@return the drawing as a file} */
    String svg() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        VectorGraphicsEncoder.saveVectorGraphic(drawing, out, VectorGraphicsFormat.SVG);
        String shorter =
                NEEDLESS_DIGITS.matcher(out.toString(StandardCharsets.UTF_8)).replaceAll("$1");
        return JoinedLines.in(NEEDLESS_SPACES.matcher(shorter).replaceAll(""));
    }

    /** {@return the drawing with a description that people find when they open the file} */
    static String described(String svg, String description) {
        return ROOT.matcher(svg).replaceFirst("$0\n <desc>" + Matcher.quoteReplacement(description) + "</desc>");
    }

    /**
     * {@return the drawing as an element of a page, which scales with it}
     *
     * @param id sets its names apart from those of other drawings on the page
     */
    static String element(String svg, String id) {
        String root = BEFORE_ROOT.matcher(svg).replaceFirst("");
        return PIXELS.matcher(root)
                .replaceFirst("<svg$1$2 role=\"img\"")
                .replace(" id=\"", " id=\"" + id + "-")
                .replace("url(#", "url(#" + id + "-");
    }

    byte[] png() throws IOException {
        return BitmapEncoder.getBitmapBytes(drawing, BitmapFormat.PNG);
    }

    private static XYChart lines(Chart chart) {
        XYChart drawing = new XYChartBuilder()
                .width(WIDTH)
                .height(HEIGHT)
                .title(chart.title())
                .xAxisTitle(chart.x().title())
                .yAxisTitle(chart.y().title())
                .build();
        style(drawing.getStyler(), chart);
        drawing.getStyler().setXAxisLogarithmic(chart.x().isLogarithmic());
        drawing.getStyler().setXAxisDecimalPattern(pattern(chart.x()));
        for (ChartSeries series : chart.series()) {
            Points points = Points.of(series, chart.x(), chart.y());
            if (!points.isEmpty()) {
                shape(drawing.addSeries(series.name(), points.x(), points.y()), chart.kind());
            }
        }
        return drawing;
    }

    private static void shape(XYSeries series, Chart.Kind kind) {
        if (kind == Chart.Kind.CURVES) {
            series.setMarker(SeriesMarkers.NONE);
        }
        if (kind == Chart.Kind.POINTS) {
            series.setXYSeriesRenderStyle(XYSeries.XYSeriesRenderStyle.Scatter);
        }
        series.setLineWidth(2);
    }

    private static CategoryChart bars(Chart chart) {
        CategoryChart drawing = new CategoryChartBuilder()
                .width(WIDTH)
                .height(HEIGHT)
                .title(chart.title())
                .xAxisTitle(chart.x().title())
                .yAxisTitle(chart.y().title())
                .build();
        style(drawing.getStyler(), chart);
        drawing.getStyler().setStacked(chart.kind() == Chart.Kind.STACKED_BARS);
        if (chart.x().categories().size() > LEVEL_LABELS_MAX) {
            drawing.getStyler().setXAxisLabelRotation(LABEL_DEGREES);
        }
        Double foot = foot(chart);
        if (chart.y().isLogarithmic()) {
            drawing.getStyler().setYAxisMin(foot); // otherwise bars begin at 0
        }
        for (ChartSeries series : chart.series()) {
            // What has no place on the axis, such as 0 on a logarithmic one, is a bar that ends where the axis begins.
            List<Double> heights = series.y().stream()
                    .map(height -> Points.hasPlace(height, chart.y()) ? height : foot)
                    .toList();
            drawing.addSeries(series.name(), chart.x().categories(), heights);
        }
        return drawing;
    }

    /**
     * {@return where the axis of heights begins: on a logarithmic one, a power of ten below all that has a place on it}
     */
    private static Double foot(Chart chart) {
        if (!chart.y().isLogarithmic()) {
            return 0.0;
        }
        double least = chart.series().stream()
                .flatMap(series -> series.y().stream())
                .filter(height -> Points.hasPlace(height, chart.y()))
                .mapToDouble(Double::doubleValue)
                .min()
                .orElse(1);
        return Math.pow(10, Math.floor(Math.log10(least)));
    }

    private static void style(AxesChartStyler styler, Chart chart) {
        styler.setChartBackgroundColor(Color.WHITE);
        styler.setPlotBorderColor(GRID);
        styler.setPlotGridLinesColor(GRID);
        // Dashes would be a shape each.
        styler.setPlotGridLinesStroke(new BasicStroke(1));
        styler.setLegendBorderColor(GRID);
        styler.setChartTitleBoxVisible(false);
        styler.setChartTitleFont(TITLE);
        styler.setAxisTitleFont(TEXT);
        styler.setAxisTickLabelsFont(TEXT);
        styler.setLegendFont(TEXT);
        styler.setLegendPosition(LegendPosition.OutsideE);
        styler.setLegendVisible(chart.series().size() > 1);
        styler.setMarkerSize(7);
        styler.setYAxisLogarithmic(chart.y().isLogarithmic());
        styler.setYAxisDecimalPattern(pattern(chart.y()));
    }

    private static String pattern(Axis axis) {
        return axis.isLogarithmic() ? "0.######" : "#,##0.####";
    }
}
