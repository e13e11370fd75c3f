package io.weir.papers;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests {@link Curves}. */
class CurvesTest {
    @Test
    void series_pointsOfTwoLines_areTwoLinesInTheOrderOfTheirFirst() {
        Curves curves = new Curves().add("b", 1, 10).add("a", 1, 20).add("b", 2, 11);
        assertEquals(
                List.of(
                        new ChartSeries("b", List.of(1.0, 2.0), List.of(10.0, 11.0)),
                        new ChartSeries("a", List.of(1.0), List.of(20.0))),
                curves.series());
        assertEquals(List.of(10.0, 11.0), curves.values("b"));
        assertEquals(List.of(), curves.values("c"));
    }
}
