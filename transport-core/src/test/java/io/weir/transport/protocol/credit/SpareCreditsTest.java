package io.weir.transport.protocol.credit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** Tests {@link SpareCredits}. */
class SpareCreditsTest {
    private final SpareCredits spares = new SpareCredits();

    /** {@return how many were sent until none were left} */
    private int sendAll() {
        int sent = 0;
        for (int count = spares.forOneFlow(); count > 0; count = spares.forOneFlow()) {
            spares.onSent(count);
            sent += count;
        }
        return sent;
    }

    @Test
    void forOneFlow_nothingSent_isAPartOfTheFirstOnes() {
        assertEquals(32, spares.forOneFlow());
    }

    @Test
    void onSent_again_leavesLessForTheNextFlow() {
        spares.onSent(16);
        assertEquals(30, spares.forOneFlow());
        assertEquals(240, sendAll());
    }

    @Test
    void onSent_moreThanAreLeft_leavesNone() {
        spares.onSent(Integer.MAX_VALUE / 8);
        assertEquals(0, spares.forOneFlow());
    }

    @Test
    void onEcho_ofShortFlows_earnsAnEighth() {
        sendAll();
        for (int i = 0; i < 800; i++) {
            spares.onEcho(true);
        }
        assertEquals(100, sendAll());
    }

    @Test
    void onEcho_ofLongFlows_earnsFour() {
        sendAll();
        spares.onEcho(false);
        assertEquals(4, sendAll());
    }

    @Test
    void onEcho_ofMany_fillsUpToTheMost() {
        for (int i = 0; i < 10_000; i++) {
            spares.onEcho(false);
        }
        assertEquals(64, spares.forOneFlow());
        assertEquals(512, sendAll());
    }

    @Test
    void forOneFlow_littleLeft_isOneUntilNoneIs() {
        sendAll();
        spares.onEcho(true);
        assertEquals(1, spares.forOneFlow());
        spares.onSent(1);
        assertEquals(0, spares.forOneFlow());
    }
}
