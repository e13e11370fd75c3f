package io.weir.transport.time;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Tests what is told of the lengths of pauses, window by window. */
class PauseMeterTest {
    private static final long WINDOW = PauseMeter.WINDOW_NANOS;

    private final PauseMeter meter = new PauseMeter();

    @Test
    void percentileNanos_withoutPauses_isZero() {
        assertEquals(0, meter.percentileNanos(99, 5));
        assertEquals(0, meter.longestNanos(5));
        assertEquals(0, meter.count(5));
    }

    @Test
    void percentileNanos_manyPauses_isAtMostAnEighthTooLong() {
        for (int i = 1; i <= 100; i++) {
            meter.record(i * 10_000L, i);
        }
        assertBetween(500_000, meter.percentileNanos(50, 200));
        assertBetween(990_000, meter.percentileNanos(99, 200));
        assertEquals(1_000_000, meter.percentileNanos(100, 200));
        assertEquals(1_000_000, meter.longestNanos(200));
        assertEquals(100, meter.count(200));
    }

    private static void assertBetween(long exact, long found) {
        assertTrue(found >= exact && found <= exact + exact / 8, found + " for " + exact);
    }

    @Test
    void percentileNanos_nextWindow_countsBoth() {
        meter.record(4_000_000, WINDOW - 1);
        meter.record(100_000, WINDOW + 1);
        assertEquals(2, meter.count(2 * WINDOW - 1));
        assertEquals(4_000_000, meter.percentileNanos(99, 2 * WINDOW - 1));
    }

    @Test
    void percentileNanos_twoWindowsLater_hasForgotten() {
        meter.record(4_000_000, WINDOW - 1);
        meter.record(100_000, WINDOW + 1);
        assertEquals(1, meter.count(2 * WINDOW + 1));
        assertTrue(meter.percentileNanos(99, 2 * WINDOW + 1) <= 112_500);
        assertEquals(0, meter.longestNanos(9 * WINDOW));
    }
}
