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
        assertEquals(11, (double) delivery.creditsFor(10), 1.0);
    }
}
