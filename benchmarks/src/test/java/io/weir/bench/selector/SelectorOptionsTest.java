package io.weir.bench.selector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

/** Tests {@link SelectorOptions}. */
class SelectorOptionsTest {
    @Test
    void parse_nothing_isTheDefault() {
        assertEquals(new SelectorOptions(10_000, 20_000, 9, 0), SelectorOptions.parse());
    }

    @Test
    void parse_everything_isTaken() {
        assertEquals(
                new SelectorOptions(5, 6, 7, 1.5),
                SelectorOptions.parse("--keys", "5", "--trips", "6", "--rounds", "7", "--require", "1.5"));
    }

    @Test
    void parse_wrong_isRefused() {
        assertThrows(IllegalArgumentException.class, () -> SelectorOptions.parse("--keys", "0"));
        assertThrows(IllegalArgumentException.class, () -> SelectorOptions.parse("--keys", "20000"));
        assertThrows(IllegalArgumentException.class, () -> SelectorOptions.parse("--trips", "0"));
        assertThrows(IllegalArgumentException.class, () -> SelectorOptions.parse("--rounds", "0"));
        assertThrows(IllegalArgumentException.class, () -> SelectorOptions.parse("--key", "1"));
    }
}
