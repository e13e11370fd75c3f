package io.weir.bench.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests {@link Arrivals}. */
class ArrivalsTest {
    private static final long SECOND = 1_000_000_000L;

    @Test
    void bytesAt_betweenSamples_isInterpolated() {
        Arrivals arrivals = Arrivals.parse("100:0,200:1000,400:1000");
        assertEquals(0, arrivals.bytesAt(50));
        assertEquals(500, arrivals.bytesAt(150));
        assertEquals(1000, arrivals.bytesAt(300));
        assertEquals(1000, arrivals.bytesAt(500));
    }

    @Test
    void bytesAt_timesBelowZero_areOrderedAsTimesAre() {
        // The clock of System.nanoTime may begin anywhere.
        Arrivals arrivals = Arrivals.parse("-200:0,-100:1000");
        assertEquals(500, arrivals.bytesAt(-150));
    }

    @Test
    void bpsBetween_steadyRate_isThatRate() {
        Arrivals arrivals = Arrivals.parse("0:0," + 4 * SECOND + ":4000");
        assertEquals(8_000, arrivals.bpsBetween(SECOND, 3 * SECOND), 1e-6);
    }

    @Test
    void perSecond_partOfASecondAtTheEnd_isLeftOut() {
        Arrivals arrivals = Arrivals.parse("0:0," + SECOND + ":1000," + 3 * SECOND + ":7000");
        assertEquals(List.of(8_000.0, 24_000.0), arrivals.perSecond(0, 2 * SECOND + SECOND / 2));
    }

    @Test
    void parse_nothing_nothingArrived() {
        assertEquals(0, Arrivals.parse("").bytesAt(SECOND));
    }
}
