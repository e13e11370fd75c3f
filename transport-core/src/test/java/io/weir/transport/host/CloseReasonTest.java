package io.weir.transport.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests {@link CloseReason}. */
class CloseReasonTest {
    @ParameterizedTest
    @EnumSource
    void phrase_eachReason_isInWords(CloseReason reason) {
        assertTrue(reason.phrase().matches("[a-z][a-z ,'-]*"), reason.phrase());
    }

    @Test
    void phrase_openingWithoutAnswer_saysSo() {
        assertEquals("no answer to the opening", CloseReason.OPEN_TIMED_OUT.phrase());
    }
}
