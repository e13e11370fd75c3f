package io.weir.transport.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Tests {@link WindowGrowth}. */
class WindowGrowthTest {
    private static final long RATE_BPS = 8_000_000_000L;
    private static final long ROUND_TRIP = 100_000;
    private static final long INTERVAL = ROUND_TRIP + WindowGrowth.PAUSE_NANOS_ASSUMED;
    private static final int LIMIT = 1 << 14;
    private static final long START = 7_000;

    private final WindowGrowth growth = new WindowGrowth(RATE_BPS, START);

    @Test
    void isLimiting_moreThanHalfReadInARoundTripWithPauses_isTrue() {
        assertFalse(growth.isLimiting(LIMIT, LIMIT / 2, ROUND_TRIP, START + INTERVAL));
        assertTrue(growth.isLimiting(LIMIT, LIMIT / 2 + 1, ROUND_TRIP, START + INTERVAL));
    }

    @Test
    void isLimiting_asMuchReadInMoreTime_isFalseAndMeasuresAgain() {
        assertFalse(growth.isLimiting(LIMIT, LIMIT, ROUND_TRIP, START + INTERVAL + 1));
        assertFalse(growth.isLimiting(LIMIT, LIMIT + LIMIT / 2, ROUND_TRIP, START + INTERVAL + 2));
        assertTrue(growth.isLimiting(LIMIT, LIMIT + LIMIT / 2 + 1, ROUND_TRIP, START + INTERVAL + 3));
    }

    @Test
    void isLimiting_afterItWas_countsFromThere() {
        assertTrue(growth.isLimiting(LIMIT, LIMIT, ROUND_TRIP, START + 1_000));
        assertFalse(growth.isLimiting(2 * LIMIT, 2 * LIMIT, ROUND_TRIP, START + 2_000), "half of the larger window");
        assertTrue(growth.isLimiting(2 * LIMIT, 2 * LIMIT + 1, ROUND_TRIP, START + 3_000));
    }

    @Test
    void isLimiting_windowHoldsWhatTheLinkCarries_isFalse() {
        int carried = (int) (INTERVAL * RATE_BPS / 8 / 1_000_000_000L);
        assertTrue(growth.isLimiting(carried - 1, carried, ROUND_TRIP, START + 1));
        assertFalse(growth.isLimiting(carried, 2L * carried, ROUND_TRIP, START + 2));
    }

    @Test
    void isLimiting_doublingEachTime_endsAtWhatTheLinkCarries() {
        int limit = LIMIT;
        long read = 0;
        long now = START;
        for (int i = 0; i < 100; i++) {
            now += ROUND_TRIP;
            read += limit;
            if (growth.isLimiting(limit, read, ROUND_TRIP, now)) {
                limit *= 2;
            }
        }
        assertEquals(1 << 22, limit, "4.1 MB in 4.1 ms, rounded up to a power of two");
    }

    @Test
    void setPauses_longerThanAssumed_lengthenTheInterval() {
        long pauses = 3 * WindowGrowth.PAUSE_NANOS_ASSUMED;
        growth.setPauses(pauses - 1_000, 1_000);
        assertTrue(growth.isLimiting(LIMIT, LIMIT, ROUND_TRIP, START + ROUND_TRIP + pauses));
    }

    @Test
    void setPauses_shorterThanAssumed_areTakenForThat() {
        growth.setPauses(0, 0);
        assertTrue(growth.isLimiting(LIMIT, LIMIT, ROUND_TRIP, START + INTERVAL));
    }

    @Test
    void isLimiting_roundTripNotKnown_isMeasuredByPausesAlone() {
        assertTrue(growth.isLimiting(LIMIT, LIMIT, 0, START + WindowGrowth.PAUSE_NANOS_ASSUMED));
    }
}
