package io.weir.pacer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Tests what fits a port buffer, and what of a pause is made up for. */
class PauseBudgetTest {
    private static final long GIGABIT = 1_000_000_000L;

    @Test
    void makeUpBytes_shortPause_isWhatTheLinkMissed() {
        assertEquals(12_500, PauseBudget.DEFAULT.makeUpBytes(100_000, GIGABIT));
    }

    @Test
    void makeUpBytes_longPause_isTheBudget() {
        long bytes = PauseBudget.DEFAULT.bytes();
        assertEquals(bytes, PauseBudget.DEFAULT.makeUpBytes(10_000_000, GIGABIT));
        assertEquals(bytes, PauseBudget.DEFAULT.makeUpBytes(Long.MAX_VALUE, RateMath.RATE_BPS_MAX));
    }

    @Test
    void makeUpBytes_noBudget_isNothing() {
        assertEquals(0, PauseBudget.NONE.makeUpBytes(10_000_000, GIGABIT));
    }

    @Test
    void within_moreReceivers_shareTheBuffer() {
        assertEquals(
                PauseBudget.within(384_500, 1).bytes() / 4,
                PauseBudget.within(384_500, 4).bytes());
        assertTrue(PauseBudget.within(384_500, 1).bytes() < 384_500);
        assertEquals(0, PauseBudget.within(10_000, 1).bytes(), "a buffer that the strict bound fills leaves nothing");
    }

    @Test
    void constructor_impossible_throws() {
        assertThrows(IllegalArgumentException.class, () -> new PauseBudget(-1, 0));
        assertThrows(IllegalArgumentException.class, () -> new PauseBudget(100_000_001, 0));
        assertThrows(IllegalArgumentException.class, () -> new PauseBudget(0, -1));
        assertThrows(IllegalArgumentException.class, () -> PauseBudget.within(384_500, 0));
    }

    @Test
    void makeUpBytes_pauseJustLongEnough_isTheBudgetAndNoMore() {
        assertEquals(1, PauseBudget.DEFAULT.withBytes(1).makeUpBytes(1, 16_000_000_000L));
    }

    @Test
    void withBytes_another_keepsTheRest() {
        PauseBudget changed = PauseBudget.DEFAULT.withBytes(7);
        assertEquals(7, changed.bytes());
        assertEquals(PauseBudget.DEFAULT.peerNanosMax(), changed.peerNanosMax());
    }
}
