package io.weir.bench.sharing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests {@link SharingOptions}. */
class SharingOptionsTest {
    @Test
    void parse_nothing_isBoth() {
        assertEquals(new SharingOptions(3, 2, 1500, true, true), SharingOptions.parse(List.of()));
    }

    @Test
    void parse_everything_isTaken() {
        assertEquals(
                new SharingOptions(5, 0.5, 9000, false, true),
                SharingOptions.parse(List.of("--pairs", "5", "--seconds", "0.5", "--mtu", "9000", "--only", "hop")));
    }

    @Test
    void parse_whatMakesNoSense_isRefused() {
        for (List<String> arguments :
                List.of(List.of("--pairs", "0"), List.of("--only", "x"), List.of("--pairs"), List.of("--x", "1"))) {
            assertThrows(IllegalArgumentException.class, () -> SharingOptions.parse(arguments));
        }
    }
}
