package io.weir.transport.protocol.reactive;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Tests {@link ExpiringMinimum}. */
class ExpiringMinimumTest {
    private final ExpiringMinimum minimum = new ExpiringMinimum(100);

    @Test
    void value_nothingObserved_isNone() {
        assertEquals(ExpiringMinimum.NONE, minimum.value());
    }

    @Test
    void observe_larger_keepsTheLeast() {
        minimum.observe(7, 0);
        minimum.observe(9, 10);
        assertEquals(7, minimum.value());
    }

    @Test
    void observe_leastNotSeenAgain_isForgottenBetweenHalfASpanAndASpan() {
        minimum.observe(7, 0);
        for (int now = 10; now < 100; now += 10) {
            minimum.observe(9, now);
            assertEquals(7, minimum.value(), "at " + now);
        }
        minimum.observe(9, 100);
        assertEquals(9, minimum.value());
    }

    @Test
    void observe_leastSeenAgain_isKept() {
        for (int now = 0; now < 1_000; now += 10) {
            minimum.observe(now % 40 == 0 ? 7 : 9, now);
            assertEquals(7, minimum.value(), "at " + now);
        }
    }

    @Test
    void observe_afterASilence_hasForgottenNothing() {
        minimum.observe(7, 0);
        minimum.observe(9, 10_000);
        assertEquals(7, minimum.value());
    }

    @Test
    void forget_leavesNone() {
        minimum.observe(7, 0);
        minimum.forget();
        assertEquals(ExpiringMinimum.NONE, minimum.value());
        minimum.observe(9, 10);
        assertEquals(9, minimum.value());
    }

    @Test
    void observe_halfSpanWithTooFewObservations_goesOn() {
        ExpiringMinimum slow = new ExpiringMinimum(100, 3);
        slow.observe(7, 0);
        assertFalse(slow.isSettled());
        slow.observe(9, 40);
        slow.observe(9, 80);
        assertTrue(slow.isSettled());
        slow.observe(9, 120);
        slow.observe(9, 160);
        assertEquals(7, slow.value(), "the second half has had two");
        slow.observe(9, 200);
        slow.observe(9, 240);
        assertEquals(9, slow.value());
    }
}
