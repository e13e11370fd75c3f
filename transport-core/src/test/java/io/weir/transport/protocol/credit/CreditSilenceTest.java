package io.weir.transport.protocol.credit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Tests {@link CreditSilence}. */
class CreditSilenceTest {
    private static final long RTT = 80_000;
    /** Half a round trip and a quarter. */
    private static final long LOOK = 50_000;

    private final CreditSilence silence = new CreditSilence();

    @Test
    void isTimeToLook_beforeHalfARoundTrip_isNot() {
        silence.restart(1, 0, 0);
        assertFalse(silence.isTimeToLook(10, RTT, 0, LOOK - 1));
        assertTrue(silence.isTimeToLook(10, RTT, 0, LOOK));
        assertFalse(silence.isTimeToLook(20, RTT, 0, LOOK + 1));
    }

    @Test
    void overdueEnd_always_isWhatWasMadeTwoLooksBefore() {
        silence.restart(1, 0, 0);
        assertTrue(silence.isTimeToLook(10, RTT, 0, LOOK));
        assertEquals(1, silence.overdueEnd());
        assertTrue(silence.isTimeToLook(20, RTT, 0, 2 * LOOK));
        assertEquals(1, silence.overdueEnd());
        assertTrue(silence.isTimeToLook(30, RTT, 0, 3 * LOOK));
        // Made by the first look, which was a round trip and a quarter ago.
        assertEquals(10, silence.overdueEnd());
        assertTrue(silence.isTimeToLook(40, RTT, 0, 4 * LOOK));
        assertEquals(20, silence.overdueEnd());
    }

    @Test
    void isTimeToLook_afterAPauseOfTheHost_beginsAgain() {
        silence.restart(1, 0, 0);
        assertTrue(silence.isTimeToLook(10, RTT, 0, LOOK));
        assertFalse(silence.isTimeToLook(20, RTT, 900_000, 20 * LOOK));
        assertFalse(silence.isTimeToLook(20, RTT, 900_000, 21 * LOOK - 1));
        assertTrue(silence.isTimeToLook(30, RTT, 900_000, 21 * LOOK));
        assertEquals(20, silence.overdueEnd());
    }
}
