package io.weir.pacer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** Tests {@link RatePacer}. */
class RatePacerTest {
    private static final long GBPS = 1_000_000_000L;

    @Test
    void onSent_rateThatDividesNoFrame_carriesTheRemainder() {
        RatePacer pacer = new RatePacer(new CatchUp(0));
        for (int i = 0; i < 3_000; i++) {
            pacer.onSent(1_000, 3 * GBPS, pacer.nextNanos());
        }
        assertEquals(8_000_000, pacer.nextNanos());
    }

    @Test
    void setRate_higher_shortensTheGapThatRuns() {
        RatePacer pacer = new RatePacer(new CatchUp(0));
        pacer.onSent(1_000, GBPS / 1_000, 500);
        assertEquals(500 + 8_000_000, pacer.nextNanos());
        pacer.setRate(GBPS);
        assertEquals(500 + 8_000, pacer.nextNanos());
    }

    @Test
    void setRate_lower_lengthensTheGapThatRuns() {
        RatePacer pacer = new RatePacer(new CatchUp(0));
        pacer.onSent(1_000, GBPS, 0);
        pacer.setRate(GBPS / 2);
        assertEquals(16_000, pacer.nextNanos());
    }

    @Test
    void setRate_none_endsTheGap() {
        RatePacer pacer = new RatePacer(new CatchUp(0));
        pacer.onSent(1_000, GBPS, 70);
        pacer.setRate(0);
        assertEquals(70, pacer.nextNanos());
    }

    @Test
    void setRate_same_keepsTheRemainder() {
        RatePacer pacer = new RatePacer(new CatchUp(0));
        pacer.onSent(1, 3 * GBPS, 0);
        pacer.setRate(3 * GBPS);
        pacer.onSent(1, 3 * GBPS, 2);
        pacer.onSent(1, 3 * GBPS, 5);
        assertEquals(8, pacer.nextNanos());
    }

    @Test
    void onSent_polledLate_catchesUpByTheAllowanceOnly() {
        RatePacer pacer = new RatePacer(new CatchUp(4_000));
        pacer.onSent(1_000, GBPS, 0);
        pacer.onSent(1_000, GBPS, 100_000);
        assertEquals(100_000 - 4_000 + 8_000, pacer.nextNanos());
    }

    @Test
    void onSent_backToBack_takesExactlyTheRatesTime() {
        RatePacer pacer = new RatePacer(new CatchUp(0));
        for (int i = 0; i < 3_000; i++) {
            pacer.onSent(1_538, 3_000_000_000L, pacer.nextNanos());
        }
        assertEquals(RateMath.serializationNanosFloor(1_538L * 3_000, 3_000_000_000L), pacer.nextNanos());
    }

    @Test
    void onSent_rateChanges_countsFromTheNextFrameOn() {
        RatePacer pacer = new RatePacer(new CatchUp(0));
        pacer.onSent(1_250, 1_000_000_000L, 0);
        assertEquals(10_000, pacer.nextNanos());
        pacer.onSent(1_250, 10_000_000_000L, 10_000);
        assertEquals(11_000, pacer.nextNanos());
    }

    @Test
    void onSent_idleBefore_startsNow() {
        RatePacer pacer = new RatePacer(new CatchUp(0));
        pacer.onSent(1_250, 1_000_000_000L, 0);
        pacer.onSent(1_250, 1_000_000_000L, 500_000);
        assertEquals(510_000, pacer.nextNanos());
    }

    @Test
    void onSent_polledLate_recoversTheTimeUpToTheAllowance() {
        RatePacer pacer = new RatePacer(new CatchUp(20_000));
        pacer.onSent(1_250, 1_000_000_000L, 0);
        pacer.onSent(1_250, 1_000_000_000L, 25_000);
        // Due at 10,000: 15,000 late, less than the allowance.
        assertEquals(20_000, pacer.nextNanos());
        pacer.onSent(1_250, 1_000_000_000L, 100_000);
        assertEquals(90_000, pacer.nextNanos());
    }

    @Test
    void onSent_extremes_doNotOverflow() {
        RatePacer pacer = new RatePacer(new CatchUp(0));
        pacer.onSent(9_216, RateMath.RATE_BPS_MAX, 0);
        pacer.onSent(9_216, 1_000, pacer.nextNanos());
        assertEquals(73_728_000_000.0, (double) pacer.nextNanos(), 1_000.0);
    }
}
