package io.weir.transport.protocol.credit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Tests {@link HostDelivery}. */
class HostDeliveryTest {
    private final HostDelivery delivery = new HostDelivery();

    @Test
    void creditsFor_nothingLost_isOneAFrame() {
        for (int i = 0; i < 1_000; i++) {
            delivery.onEcho(0);
        }
        assertEquals(7, delivery.creditsFor(7));
        assertEquals(0, delivery.creditsFor(0));
    }

    @Test
    void creditsFor_halfLost_isTwoAFrame() {
        for (int i = 0; i < 1_000; i++) {
            delivery.onEcho(1);
        }
        assertEquals(20, (double) delivery.creditsFor(10), 1.0);
    }

    @Test
    void creditsFor_nearlyAllLost_isBounded() {
        for (int i = 0; i < 1_000; i++) {
            delivery.onEcho(Long.MAX_VALUE);
        }
        assertEquals(40, delivery.creditsFor(10));
    }

    @Test
    void creditsFor_lossOver_comesBack() {
        for (int i = 0; i < 1_000; i++) {
            delivery.onEcho(3);
        }
        assertTrue(delivery.creditsFor(10) > 30);
        for (int i = 0; i < 1_000; i++) {
            delivery.onEcho(0);
        }
        assertEquals(10, delivery.creditsFor(10));
        assertEquals(1, delivery.creditsFor(1));
    }

    @Test
    void creditsForShort_hostHasHeardOfFew_supposesThatMetersTakeSome() {
        delivery.onEcho(0);
        assertEquals(8, delivery.creditsForShort(1, 1, true));
        assertEquals(28, delivery.creditsForShort(7, 1, true));
        assertEquals(1, delivery.creditsForShort(1, 1, false));
    }

    @Test
    void creditsForShort_nothingLost_sparesNone() {
        for (int i = 0; i < 64; i++) {
            delivery.onEcho(0);
        }
        assertEquals(1, delivery.creditsForShort(1, 1, true));
        assertEquals(7, delivery.creditsForShort(7, 1, true));
    }

    @Test
    void creditsForShort_fewLost_sparesNoneForManyFrames() {
        for (int i = 0; i < 64; i++) {
            delivery.onEcho(0);
        }
        for (int lost = 1; lost <= 4; lost++) {
            delivery.onEcho(1);
            long credits = delivery.creditsForShort(17, 1, true);
            assertTrue(credits <= 18, credits + " credits, " + lost + " lost");
        }
        delivery.onEcho(1);
        assertEquals(25, delivery.creditsForShort(17, 1, true));
    }

    @Test
    void creditsForShort_oneLost_sparesForFewFramesUntilForgotten() {
        for (int i = 0; i < 64; i++) {
            delivery.onEcho(0);
        }
        delivery.onEcho(1);
        assertEquals(1, delivery.creditsForShort(1, 1, true), "one may have been late");
        assertEquals(28, delivery.creditsForShort(7, 1, true));
        assertEquals(7, delivery.creditsForShort(7, 1, false), "without meters");
        assertEquals(17, delivery.creditsForShort(17, 1, true), "of many frames");
        for (int i = 0; i < 1_000; i++) {
            delivery.onEcho(0);
        }
        assertEquals(7, delivery.creditsForShort(7, 1, true));
    }

    @Test
    void creditsForShort_threeLostOneAfterTheOther_sparesForOneFrame() {
        for (int i = 0; i < 64; i++) {
            delivery.onEcho(0);
        }
        delivery.onEcho(3);
        assertEquals(8, delivery.creditsForShort(1, 1, true));
        assertEquals(16, delivery.creditsForShort(3, 1, true));
    }

    @Test
    void creditsForShort_halfLost_letsOneThroughNearlyAlways() {
        for (int i = 0; i < 1_000; i++) {
            delivery.onEcho(1);
        }
        assertEquals(10, (double) delivery.creditsForShort(1, 1, true), 1.0);
        assertEquals(47, (double) delivery.creditsForShort(10, 1, true), 3.0);
    }

    @Test
    void creditsForShort_nearlyAllLost_isBounded() {
        for (int i = 0; i < 1_000; i++) {
            delivery.onEcho(Long.MAX_VALUE);
        }
        assertEquals(25, delivery.creditsForShort(1, 1, true));
    }

    @Test
    void creditsForShort_lossOver_isForgottenSlowly() {
        for (int i = 0; i < 1_000; i++) {
            delivery.onEcho(1);
        }
        for (int i = 0; i < 200; i++) {
            delivery.onEcho(0);
        }
        assertTrue(delivery.creditsFor(10) <= 11);
        assertTrue(delivery.creditsForShort(1, 1, true) > 3, () -> delivery.creditsForShort(1, 1, true) + " for one");
        for (int i = 0; i < 3_000; i++) {
            delivery.onEcho(0);
        }
        assertEquals(1, delivery.creditsForShort(1, 1, true));
    }

    @Test
    void creditsForShort_flowLosesMoreThanItsHost_goesByTheFlow() {
        delivery.onEcho(0);
        assertEquals(10, delivery.creditsForShort(1, 0.5, true));
    }

    @Test
    void creditsForLast_halfLost_sparesFewer() {
        for (int i = 0; i < 1_000; i++) {
            delivery.onEcho(1);
        }
        long later = delivery.creditsForLast(10, 1, true);
        assertTrue(later > delivery.creditsFor(10) && later < delivery.creditsForShort(10, 1, true), later + " for 10");
    }

    @Test
    void onEcho_firstCreditsLost_countAtOnce() {
        delivery.onEcho(1);
        assertTrue(delivery.fraction() < 0.9, () -> delivery.fraction() + " after one of two");
        delivery.onEcho(4);
        assertTrue(delivery.fraction() < 0.7, () -> delivery.fraction() + " after five of seven");
        assertTrue(delivery.creditsForShort(1, 1, true) > 3);
    }

    @Test
    void isKnown_afterSoManyCredits_isTrue() {
        for (int i = 0; i < 63; i++) {
            delivery.onEcho(0);
        }
        assertTrue(!delivery.isKnown());
        delivery.onEcho(0);
        assertTrue(delivery.isKnown());
    }
}
