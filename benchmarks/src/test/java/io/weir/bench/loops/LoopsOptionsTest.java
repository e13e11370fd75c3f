package io.weir.bench.loops;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

/** Tests {@link LoopsOptions}. */
class LoopsOptionsTest {
    @Test
    void parse_nothing_isTheDefault() {
        assertEquals(new LoopsOptions(2, 300_000, 7, 0), LoopsOptions.parse());
    }

    @Test
    void parse_everything_isTaken() {
        assertEquals(
                new LoopsOptions(4, 20_000, 3, 1.7),
                LoopsOptions.parse("--loops", "4", "--frames", "20000", "--runs", "3", "--require", "1.7"));
    }

    @Test
    void parse_wrong_isRefused() {
        assertThrows(IllegalArgumentException.class, () -> LoopsOptions.parse("--loops", "1"));
        assertThrows(IllegalArgumentException.class, () -> LoopsOptions.parse("--frames", "1"));
        assertThrows(IllegalArgumentException.class, () -> LoopsOptions.parse("--loop", "2"));
        assertThrows(IllegalArgumentException.class, () -> LoopsOptions.parse("--loops"));
    }
}
