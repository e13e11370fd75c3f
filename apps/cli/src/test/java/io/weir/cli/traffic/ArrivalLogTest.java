package io.weir.cli.traffic;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** Tests when a flow is found to have its share. */
class ArrivalLogTest {
    private final ArrivalLog log = new ArrivalLog();

    @Test
    void nanosUntil_bytesComeWithinOneSpan_isTheTimeSinceTheFirst() {
        log.add(1_000, 10);
        log.add(1_500, 10);
        log.add(1_900, 10);
        assertEquals(0, log.nanosUntil(10, 1_000));
        assertEquals(500, log.nanosUntil(20, 1_000));
        assertEquals(900, log.nanosUntil(30, 1_000));
    }

    @Test
    void nanosUntil_firstBytesAreOlderThanTheSpan_doNotCount() {
        log.add(0, 10);
        log.add(1_000, 10);
        log.add(1_999, 10);
        log.add(2_500, 10);
        assertEquals(1_999, log.nanosUntil(20, 1_000));
        assertEquals(Long.MAX_VALUE, log.nanosUntil(30, 1_000));
    }

    @Test
    void nanosUntil_nothingCame_isNever() {
        assertEquals(Long.MAX_VALUE, log.nanosUntil(1, 1_000));
    }

    @Test
    void add_moreThanItHolds_keepsTheFirst() {
        for (int i = 0; i < 100_000; i++) {
            log.add(i, 1);
        }
        assertEquals(0, log.nanosUntil(1, 10));
        assertEquals(9, log.nanosUntil(10, 10));
        assertEquals(Long.MAX_VALUE, log.nanosUntil(11, 10));
    }
}
