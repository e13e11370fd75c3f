package io.weir.papers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests {@link Statistics} against figures computed by hand. */
class StatisticsTest {
    @Test
    void median_oddAndEven_isTheMiddleOrTheMeanOfTheTwoThere() {
        assertEquals(3, Statistics.median(List.of(9.0, 1.0, 3.0)));
        assertEquals(4, Statistics.median(List.of(9.0, 1.0, 3.0, 5.0)));
        assertEquals(
                Double.POSITIVE_INFINITY,
                Statistics.median(List.of(1.0, Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY)));
    }

    @Test
    void everything_ofNothing_isNoNumber() {
        assertTrue(Double.isNaN(Statistics.median(List.of())));
        assertTrue(Double.isNaN(Statistics.mean(List.of())));
        assertTrue(Double.isNaN(Statistics.max(List.of())));
        assertTrue(Double.isNaN(Statistics.min(List.of())));
        assertTrue(Double.isNaN(Statistics.jain(List.of())));
    }

    @Test
    void jain_equalOneHasAllNobodyHasAnything_isOneOneOverNOne() {
        assertEquals(1, Statistics.jain(List.of(5.0, 5.0, 5.0)), 1e-12);
        assertEquals(0.25, Statistics.jain(List.of(0.0, 8.0, 0.0, 0.0)), 1e-12);
        assertEquals(0.9, Statistics.jain(List.of(2.0, 1.0)), 1e-12);
        assertEquals(1, Statistics.jain(List.of(0.0, 0.0)), 1e-12);
    }

    @Test
    void largestRise_fallsAndRises_isFromTheLeastBefore() {
        assertEquals(0, Statistics.largestRise(List.of(5.0, 4.0, 4.0, 1.0)));
        assertEquals(0.5, Statistics.largestRise(List.of(5.0, 2.0, 2.5, 3.0, 1.0)), 1e-12);
    }
}
