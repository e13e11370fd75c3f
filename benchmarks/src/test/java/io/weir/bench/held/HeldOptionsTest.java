package io.weir.bench.held;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

/** Tests {@link HeldOptions}. */
class HeldOptionsTest {
    @Test
    void parse_nothing_isTheDefault() {
        assertEquals(new HeldOptions(10_000, 1_000_000, 10, 0), HeldOptions.parse());
    }

    @Test
    void parse_everything_isTaken() {
        assertEquals(
                new HeldOptions(5, 6, 0.5, 16_384),
                HeldOptions.parse("--connections", "5", "--bytes", "6", "--idle", "0.5", "--require", "16384"));
    }

    @Test
    void parse_wrong_isRefused() {
        assertThrows(IllegalArgumentException.class, () -> HeldOptions.parse("--connections", "0"));
        assertThrows(IllegalArgumentException.class, () -> HeldOptions.parse("--bytes", "0"));
        assertThrows(IllegalArgumentException.class, () -> HeldOptions.parse("--byte", "2"));
        assertThrows(IllegalArgumentException.class, () -> HeldOptions.parse("--idle"));
    }
}
