package io.weir.papers.report;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.papers.Axis;
import io.weir.papers.Chart;
import io.weir.papers.ChartSeries;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests {@link ChartDrawing}. */
class ChartDrawingTest {
    private static Chart bars(List<Double> heights) {
        return new Chart(
                "bars",
                Chart.Kind.BARS,
                Axis.of("workload", List.of("a", "b")),
                Axis.logarithmic("time (us)"),
                List.of(
                        new ChartSeries("one", List.of(0.0, 1.0), List.of(10.0, 200.0)),
                        new ChartSeries("other", List.of(0.0, 1.0), heights)));
    }

    @Test
    void svg_barsWithoutAPlaceOnTheAxis_areLeftOut() throws Exception {
        assertTrue(ChartDrawing.of(bars(List.of(0.0, 5.0))).svg().contains("<svg"));
        assertTrue(ChartDrawing.of(bars(List.of(Double.NaN, 0.0))).svg().contains("<svg"));
    }
}
