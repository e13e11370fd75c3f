package io.weir.transport.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Tests pauses in a byte. */
class PauseCodeTest {
    @Test
    void of_noPause_isZero() {
        assertEquals(0, PauseCode.of(0));
        assertEquals(0, PauseCode.nanos(0));
    }

    @Test
    void nanos_ofCode_isAtMostAnEighthTooLong() {
        for (long nanos = 1_000; nanos <= PauseCode.NANOS_MAX; nanos += 1 + nanos / 7) {
            long told = PauseCode.nanos(PauseCode.of(nanos));
            assertTrue(told >= Math.min(nanos, PauseCode.NANOS_MAX), nanos + " told as " + told);
            assertTrue(told <= nanos + nanos / 8 + 1_000, nanos + " told as " + told);
        }
    }

    @Test
    void nanos_everyCode_risesUpToTheMaximum() {
        for (int code = 1; code < 256; code++) {
            long nanos = PauseCode.nanos(code);
            assertTrue(nanos >= PauseCode.nanos(code - 1) && nanos <= PauseCode.NANOS_MAX, code + ": " + nanos);
        }
        assertEquals(PauseCode.NANOS_MAX, PauseCode.nanos(255));
    }

    @Test
    void of_absurdPause_isTheMaximum() {
        assertEquals(PauseCode.NANOS_MAX, PauseCode.nanos(PauseCode.of(Long.MAX_VALUE)));
    }
}
