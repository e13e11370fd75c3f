package io.weir.transport.protocol.credit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.pacer.RateMath;
import org.junit.jupiter.api.Test;

/** Tests {@link UseRate}. */
class UseRateTest {
    private static final long RATE_BPS = 10_000_000_000L;
    /** 1250 bytes: a frame per microsecond at the rate. */
    private static final long COST = RateMath.nanobits(1_250);

    private static final long WINDOW = UseRate.WINDOW_NANOS_MIN;

    private final UseRate use = new UseRate(COST);
    private long nowNanos;

    private boolean window(int usedCount, int expiredCount) {
        for (int i = 0; i < usedCount; i++) {
            use.onEcho(i == 0 ? expiredCount : 0);
        }
        nowNanos += WINDOW;
        return use.onTime(RATE_BPS, 0, nowNanos);
    }

    @Test
    void onTime_noSurplus_neverLimits() {
        for (int i = 0; i < 1_000; i++) {
            assertFalse(window(i % 500, 0));
        }
        assertEquals(UseRate.UNLIMITED, use.limitBps());
    }

    @Test
    void onTime_surplus_limitsToJustBelowTheRateOfUse() {
        assertTrue(window(100, 400));
        long usedBps = RATE_BPS / 10;
        assertEquals(usedBps - usedBps / 16, use.limitBps());
    }

    @Test
    void onTime_fewOfManyAreSurplus_isNoReason() {
        window(100, 1);
        assertEquals(UseRate.UNLIMITED, use.limitBps());
    }

    @Test
    void onTime_beforeTheWindowEnds_waits() {
        use.onEcho(100);
        assertFalse(use.onTime(RATE_BPS, 0, WINDOW - 1));
        assertFalse(use.onTime(RATE_BPS, 2 * WINDOW, WINDOW), "a round trip is longer");
        assertTrue(use.onTime(RATE_BPS, 2 * WINDOW, 2 * WINDOW));
    }

    @Test
    void onTime_surplusEnds_ceasesToLimit() {
        window(100, 400);
        int windows = 0;
        while (use.limitBps() != UseRate.UNLIMITED) {
            window(100, 0);
            windows++;
        }
        assertTrue(windows <= 48, windows + " windows");
    }

    @Test
    void onTime_senderBecomesFaster_followsInMilliseconds() {
        window(50, 400);
        int windows = 0;
        while (use.limitBps() != UseRate.UNLIMITED) {
            window((int) (1_000 * use.limitBps() / RATE_BPS) + 1, 0);
            windows++;
        }
        assertTrue(windows <= 48, windows + " windows for ten times the rate");
    }

    @Test
    void onTime_aWindowWithoutUse_goesByTheHighestOfTheLatest() {
        window(250, 0);
        window(1, 600);
        long usedBps = RATE_BPS / 4;
        assertEquals(usedBps - usedBps / 16, use.limitBps(), "an end that lost its core tells little");
        for (int i = 0; i < 80; i++) {
            window(50, 100);
        }
        usedBps = RATE_BPS / 20;
        assertEquals(usedBps - usedBps / 16, use.limitBps(), "and is forgotten");
    }

    /** A sender that uses half of the rate, and lets expire what it cannot keep in hand. */
    @Test
    void onTime_slowSender_losesFewCreditsAndNoTime() {
        double inHand = 0;
        double used = 0;
        double expired = 0;
        for (int i = 0; i < 10_000; i++) {
            double made = (double) Math.min(RATE_BPS, use.limitBps()) / RATE_BPS * 1_000;
            double usable = Math.min(500, inHand + made);
            double lost = Math.max(0, inHand + made - usable - 150);
            inHand += made - usable - lost;
            used += usable;
            expired += lost;
            window((int) usable, (int) lost);
        }
        assertTrue(used >= 0.98 * 500 * 10_000, "used " + used / (500 * 10_000));
        assertTrue(expired <= 0.08 * used, "expired " + expired / used);
    }

    @Test
    void onTime_aLiarThatUsesNothing_keepsAPositiveRate() {
        window(1, 1_000_000);
        assertTrue(use.limitBps() > 0);
        for (int i = 0; i < 100; i++) {
            use.onTime(RATE_BPS, 0, nowNanos += WINDOW);
            assertTrue(use.limitBps() > 0);
        }
    }
}
