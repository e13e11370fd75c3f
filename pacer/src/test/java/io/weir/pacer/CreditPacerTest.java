package io.weir.pacer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.LongSummaryStatistics;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Tests {@link CreditPacer}. */
class CreditPacerTest {
    private static final CreditShape STEADY = CreditShape.permitting(1_538);
    private static final CreditShape RANDOM =
            CreditShape.permitting(1_538).withWireBytes(84, 92).withJitterPpm(100_000);

    private static CreditPacer pacer(CreditShape shape, long rateBps) {
        return new CreditPacer(shape, new SeededRandom(1), new CatchUp(0), rateBps, 0);
    }

    @Test
    void onSent_noJitter_spacesCreditsByOneCreditAndItsFrame() {
        CreditPacer pacer = pacer(STEADY, 10_000_000_000L);
        pacer.onSent(1, 0);
        assertEquals(1_297, pacer.nextNanos());
        pacer.onSent(1, pacer.nextNanos());
        assertEquals(2_595, pacer.nextNanos(), "the 0.6 ns of the first gap are carried");
    }

    @Test
    void onSent_jitter_keepsTheMeanRateAndTheBound() {
        CreditPacer pacer = pacer(RANDOM, 1_000_000_000L);
        long gapNanos = 1_626L * 8;
        long previous = 0;
        int count = 100_000;
        for (int i = 0; i < count; i++) {
            pacer.onSent(1, previous);
            long gap = pacer.nextNanos() - previous;
            assertTrue(gap >= gapNanos * 9 / 10 - 1 && gap <= gapNanos * 11 / 10 + 1, "gap " + gap);
            previous = pacer.nextNanos();
        }
        double mean = (double) previous / count;
        assertEquals(13_008.0, mean, 13.0);
    }

    @Test
    void spreadNanos_manyDraws_fillAQuarterEachWayEvenly() {
        CreditPacer pacer = pacer(STEADY, 1_000_000_000L);
        LongSummaryStatistics draws = LongStream.generate(() -> pacer.spreadNanos(1_000))
                .limit(100_000)
                .summaryStatistics();
        assertEquals(750, draws.getMin());
        assertEquals(1_250, draws.getMax());
        assertEquals(1_000, draws.getAverage(), 2);
        assertEquals(3, pacer.spreadNanos(3), "too short to spread");
    }

    @Test
    void onSent_pausedDriver_doesNotCatchUpBeyondItsAllowance() {
        CreditPacer pacer = new CreditPacer(STEADY, new SeededRandom(1), new CatchUp(2_000), 10_000_000_000L, 0);
        int burst = 0;
        while (pacer.nextNanos() <= 1_000_000) {
            pacer.onSent(1, 1_000_000);
            burst++;
        }
        assertEquals(2, burst, "one due and one within 2 us of catching up");
    }

    @Test
    void setRate_faster_bringsTheWaitingCreditForward() {
        CreditPacer pacer = pacer(STEADY, 1_000_000L);
        pacer.onSent(1, 0);
        assertEquals(12_976_000, pacer.nextNanos());
        pacer.setRate(1_000_000_000L, 1_000);
        assertEquals(1_000 + 12_976, pacer.nextNanos());
    }

    @Test
    void setRate_slower_leavesTheWaitingCreditWhereItIs() {
        CreditPacer pacer = pacer(STEADY, 1_000_000_000L);
        pacer.onSent(1, 0);
        pacer.setRate(1_000_000L, 1_000);
        assertEquals(12_976, pacer.nextNanos());
    }

    @Test
    void restart_afterIdle_isDueAtOnce() {
        CreditPacer pacer = pacer(STEADY, 1_000_000_000L);
        pacer.onSent(1, 0);
        pacer.restart(2_000_000_000L, 50_000);
        assertEquals(50_000, pacer.nextNanos());
        assertEquals(2_000_000_000L, pacer.rateBps());
    }

    @Test
    void nextWireBytes_shapeWithRange_drawsAllSizes() {
        CreditPacer pacer = pacer(RANDOM, 1_000_000_000L);
        boolean[] seen = new boolean[9];
        for (int i = 0; i < 1_000; i++) {
            seen[pacer.nextWireBytes() - 84] = true;
        }
        for (boolean size : seen) {
            assertTrue(size);
        }
    }

    @Test
    void creditShape_shorterThanAFrame_isRefused() {
        assertThrows(IllegalArgumentException.class, () -> CreditShape.permitting(1_538)
                .withWireBytes(60, 92));
        assertThrows(
                IllegalArgumentException.class,
                () -> CreditShape.permitting(1_538).withWireBytes(84, 92).withJitterPpm(-1));
        assertThrows(
                IllegalArgumentException.class, () -> CreditShape.permitting(10).withWireBytes(84, 92));
    }

    @Test
    void onSent_severalFrames_paysForEach() {
        CreditPacer pacer = new CreditPacer(
                CreditShape.permitting(1538), new SeededRandom(1), new CatchUp(0), 1_622 * 8_000_000L, 0);
        pacer.onSent(16, 0);
        assertEquals(16_000, pacer.nextNanos(), "a frame and its credit per microsecond");
        assertEquals(50, pacer.framesIn(50_000));
        pacer.setRate(2 * 1_622 * 8_000_000L, 1_000);
        assertEquals(9_000, pacer.nextNanos(), "sixteen frames at the new rate");
        assertEquals(100, pacer.framesIn(50_000));
    }

    @Test
    void onSent_jitter_fillsTheSpreadOnBothSides() {
        CreditPacer pacer = pacer(RANDOM, 1_000_000_000L);
        long shortest = Long.MAX_VALUE;
        long longest = 0;
        long previous = 0;
        for (int i = 0; i < 10_000; i++) {
            pacer.onSent(1, previous);
            shortest = Math.min(shortest, pacer.nextNanos() - previous);
            longest = Math.max(longest, pacer.nextNanos() - previous);
            previous = pacer.nextNanos();
        }
        // 13,008 ns, and a tenth more or less.
        assertTrue(shortest < 11_720 && longest > 14_296, shortest + " to " + longest);
    }

    @Test
    void setRate_same_leavesTheWaitingCreditWithItsJitter() {
        CreditPacer pacer = pacer(RANDOM, 1_000_000_000L);
        long nextNanos;
        do {
            pacer.onSent(1, pacer.nextNanos());
            nextNanos = pacer.nextNanos();
            pacer.restart(1_000_000_000L, nextNanos);
            pacer.onSent(1, nextNanos);
        } while (pacer.nextNanos() - nextNanos <= 13_008);
        long lateNanos = pacer.nextNanos();
        pacer.setRate(1_000_000_000L, nextNanos);
        assertEquals(lateNanos, pacer.nextNanos());
    }

    @Test
    void onSentInTurn_waitUpToAGap_isNoPartOfTheGap() {
        CreditPacer pacer = pacer(STEADY, 1_622L * 8 * 1_000_000);
        pacer.onSent(1, 0);
        assertEquals(1_000, pacer.nextNanos());
        pacer.onSentInTurn(1, 1_700);
        assertEquals(2_000, pacer.nextNanos(), "the wait of 700 ns is made up for");
        pacer.onSentInTurn(2, 9_000);
        assertEquals(9_000, pacer.nextNanos(), "of a longer one, a gap, and the next credit is due at once");
    }

    @Test
    void costNanobits_steadyShape_isTheCreditAndItsFrame() {
        assertEquals(1_622L * 8_000_000_000L, pacer(STEADY, 1_000_000_000L).costNanobits());
    }
}
