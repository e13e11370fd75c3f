package io.weir.papers.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.papers.Axis;
import io.weir.papers.ChartSeries;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests {@link Points}. */
class PointsTest {
    private static final Axis LINEAR = Axis.linear("x");

    @Test
    void of_veryMany_keepsPeaksAndOrder() {
        List<Double> x = new ArrayList<>();
        List<Double> y = new ArrayList<>();
        for (int i = 0; i < 100_000; i++) {
            x.add((double) i);
            y.add(i == 54_321 ? 7.0 : i == 54_400 ? -7.0 : 1.0);
        }
        Points points = Points.of(new ChartSeries("s", x, y), LINEAR, LINEAR);
        assertTrue(points.x().size() <= Points.COUNT_MAX, points.x().size() + " points");
        assertTrue(points.y().contains(7.0));
        assertTrue(points.y().contains(-7.0));
        assertEquals(points.x().stream().sorted().toList(), points.x());
    }

    @Test
    void of_valuesWithoutAPlace_areLeftOut() {
        ChartSeries series = new ChartSeries("s", List.of(0.0, 1.0, 2.0), List.of(5.0, Double.NaN, 6.0));
        assertEquals(List.of(5.0, 6.0), Points.of(series, LINEAR, LINEAR).y());
        assertEquals(
                List.of(6.0), Points.of(series, Axis.logarithmic("x"), LINEAR).y());
    }
}
