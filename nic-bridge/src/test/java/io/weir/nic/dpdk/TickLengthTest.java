package io.weir.nic.dpdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** How long a device's tick is: by readings of its clock, and by frames. */
class TickLengthTest {
    private static final long SECOND = 1_000_000_000;
    private static final long MILLI = 1_000_000;
    /** The device's clock at the driver's time 0. */
    private static final long SINCE_TICKS = 1_800_000_000_000_000L;

    private final TickLength tick = new TickLength();

    @Test
    void onReading_twoFarApart_tellAClockOf156MHz() {
        tick.onReading(1_000, 5, 200);
        assertFalse(tick.isKnown());
        tick.onReading(1_000 + 156_250_000, 5 + SECOND, 200);
        assertTrue(tick.isKnown());
        assertEquals(6.4, tick.nanosPerTick(), 1e-6);
        assertNear(6_400, tick.toNanos(12_000) - tick.toNanos(11_000), 1);
        // A day later the clock is off by less than the machine's is.
        long day = 86_400L * 156_250_000;
        assertNear(86_400 * SECOND, tick.toNanos(day) - tick.toNanos(0), 20_000);
    }

    @Test
    void onReading_tooCloseForTheirErrors_tellNothingYet() {
        tick.onReading(0, 0, 600);
        tick.onReading(100 * MILLI, 100 * MILLI, 600);
        assertFalse(tick.isKnown(), "1.2 us of 100 ms are 12 ppm");
        tick.onReading(200 * MILLI, 200 * MILLI, 600);
        assertTrue(tick.isKnown());
    }

    @Test
    void onReading_clockThatStandsOrWasSetBack_beginsAgain() {
        tick.onReading(500, 0, 100);
        tick.onReading(500, SECOND, 100);
        tick.onReading(400, 2 * SECOND, 100);
        assertFalse(tick.isKnown());
        tick.onReading(400 + SECOND / 2, 3 * SECOND, 100);
        assertEquals(2, tick.nanosPerTick());
    }

    @Test
    void onFrame_aSecondApart_tellsNanosecondsFromMicroseconds() {
        TickLength micros = new TickLength();
        tick.onFrame(SINCE_TICKS, 7 * MILLI);
        micros.onFrame(SINCE_TICKS, 7 * MILLI);
        tick.onFrame(SINCE_TICKS + SECOND / 2, 507 * MILLI);
        assertFalse(tick.isKnown(), "after half a second");
        // The poll was late by 9 ms.
        tick.onFrame(SINCE_TICKS + SECOND, 1_016 * MILLI);
        micros.onFrame(SINCE_TICKS + SECOND / 1_000, 1_016 * MILLI);
        assertEquals(1, tick.nanosPerTick());
        assertEquals(1_000, micros.nanosPerTick());
        assertEquals(25_000, micros.toNanos(SINCE_TICKS + 25) - micros.toNanos(SINCE_TICKS));
    }

    @Test
    void onFrame_anotherUnit_staysUnknown() {
        for (int i = 0; i < 20; i++) {
            tick.onFrame(SINCE_TICKS + i * 1_100L * MILLI, i * SECOND);
        }
        assertFalse(tick.isKnown(), "stamps run ahead of the clock by a tenth");
    }

    @Test
    void onFrame_firstFrameWaitedForSeconds_isForgotten() {
        tick.onFrame(SINCE_TICKS, 30 * SECOND);
        tick.onFrame(SINCE_TICKS + 31 * SECOND, 31 * SECOND);
        assertFalse(tick.isKnown());
        tick.onFrame(SINCE_TICKS + 32 * SECOND, 32 * SECOND);
        assertEquals(1, tick.nanosPerTick());
    }

    @Test
    void toNanos_stampBeforeTheFirst_isEarlier() {
        tick.onReading(SINCE_TICKS, 0, 1);
        tick.onReading(SINCE_TICKS + SECOND / 8, SECOND, 1);
        assertEquals(-80, tick.toNanos(SINCE_TICKS - 10) - tick.toNanos(SINCE_TICKS));
    }

    private static void assertNear(long expected, long actual, long tolerance) {
        assertTrue(Math.abs(actual - expected) <= tolerance, actual + " for " + expected);
    }
}
