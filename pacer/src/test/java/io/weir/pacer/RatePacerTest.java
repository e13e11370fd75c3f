package io.weir.pacer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** Tests {@link RatePacer}. */
class RatePacerTest {
    private static final long GBPS = 1_000_000_000L;

    @Test
    void onSent_rateThatDividesNoFrame_carriesTheRemainder() {
        RatePacer pacer = new RatePacer(0);
        for (int i = 0; i < 3_000; i++) {
            pacer.onSent(1_000, 3 * GBPS, pacer.nextNanos());
        }
        assertEquals(8_000_000, pacer.nextNanos());
    }

    @Test
    void setRate_higher_shortensTheGapThatRuns() {
        RatePacer pacer = new RatePacer(0);
        pacer.onSent(1_000, GBPS / 1_000, 500);
        assertEquals(500 + 8_000_000, pacer.nextNanos());
        pacer.setRate(GBPS);
        assertEquals(500 + 8_000, pacer.nextNanos());
    }

    @Test
    void setRate_lower_lengthensTheGapThatRuns() {
        RatePacer pacer = new RatePacer(0);
        pacer.onSent(1_000, GBPS, 0);
        pacer.setRate(GBPS / 2);
        assertEquals(16_000, pacer.nextNanos());
    }

    @Test
    void setRate_none_endsTheGap() {
        RatePacer pacer = new RatePacer(0);
        pacer.onSent(1_000, GBPS, 70);
        pacer.setRate(0);
        assertEquals(70, pacer.nextNanos());
    }

    @Test
    void setRate_same_keepsTheRemainder() {
        RatePacer pacer = new RatePacer(0);
        pacer.onSent(1, 3 * GBPS, 0);
        pacer.setRate(3 * GBPS);
        pacer.onSent(1, 3 * GBPS, 2);
        pacer.onSent(1, 3 * GBPS, 5);
        assertEquals(8, pacer.nextNanos());
    }

    @Test
    void onSent_polledLate_catchesUpByTheAllowanceOnly() {
        RatePacer pacer = new RatePacer(4_000);
        pacer.onSent(1_000, GBPS, 0);
        pacer.onSent(1_000, GBPS, 100_000);
        assertEquals(100_000 - 4_000 + 8_000, pacer.nextNanos());
    }
}
