package io.weir.pacer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** Tests {@link RatePacer}. */
class RatePacerTest {
    @Test
    void onSent_backToBack_takesExactlyTheRatesTime() {
        RatePacer pacer = new RatePacer(0);
        for (int i = 0; i < 3_000; i++) {
            pacer.onSent(1_538, 3_000_000_000L, pacer.nextNanos());
        }
        assertEquals(RateMath.serializationNanosFloor(1_538L * 3_000, 3_000_000_000L), pacer.nextNanos());
    }

    @Test
    void onSent_rateChanges_countsFromTheNextFrameOn() {
        RatePacer pacer = new RatePacer(0);
        pacer.onSent(1_250, 1_000_000_000L, 0);
        assertEquals(10_000, pacer.nextNanos());
        pacer.onSent(1_250, 10_000_000_000L, 10_000);
        assertEquals(11_000, pacer.nextNanos());
    }

    @Test
    void onSent_idleBefore_startsNow() {
        RatePacer pacer = new RatePacer(0);
        pacer.onSent(1_250, 1_000_000_000L, 0);
        pacer.onSent(1_250, 1_000_000_000L, 500_000);
        assertEquals(510_000, pacer.nextNanos());
    }

    @Test
    void onSent_polledLate_recoversTheTimeUpToTheAllowance() {
        RatePacer pacer = new RatePacer(20_000);
        pacer.onSent(1_250, 1_000_000_000L, 0);
        pacer.onSent(1_250, 1_000_000_000L, 25_000);
        // Due at 10,000: 15,000 late, less than the allowance.
        assertEquals(20_000, pacer.nextNanos());
        pacer.onSent(1_250, 1_000_000_000L, 100_000);
        assertEquals(90_000, pacer.nextNanos());
    }

    @Test
    void onSent_extremes_doNotOverflow() {
        RatePacer pacer = new RatePacer(0);
        pacer.onSent(9_216, RateMath.RATE_BPS_MAX, 0);
        pacer.onSent(9_216, 1_000, pacer.nextNanos());
        assertEquals(73_728_000L, pacer.nextNanos() / 1_000);
    }
}
