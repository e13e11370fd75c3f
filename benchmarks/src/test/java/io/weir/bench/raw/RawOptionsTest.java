package io.weir.bench.raw;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests {@link RawOptions}. */
class RawOptionsTest {
    @Test
    void parse_nothing_measuresEverything() {
        RawOptions options = RawOptions.parse(new String[0]);
        assertEquals(List.of(RawJob.values()), options.workloads());
        assertEquals(List.of(64, 1500), options.sizesBytes());
        assertEquals(5, options.pairCount());
    }

    @Test
    void parse_allOptions_areTaken() {
        RawOptions options = RawOptions.parse(
                "--workloads forward,ping --sizes 128 --pairs 3 --seconds 0.5 --generic --require 0.95".split(" ", -1));
        assertEquals(List.of(RawJob.FORWARD, RawJob.PING), options.workloads());
        assertEquals(List.of(128), options.sizesBytes());
        assertEquals(3, options.pairCount());
        assertEquals(0.5, options.seconds());
        assertTrue(options.generic());
        assertEquals(0.95, options.ratioMin());
    }

    @Test
    void parse_unknownOptionOrMissingValue_isRefused() {
        assertThrows(IllegalArgumentException.class, () -> RawOptions.parse(new String[] {"--frobnicate", "1"}));
        assertThrows(IllegalArgumentException.class, () -> RawOptions.parse(new String[] {"--pairs"}));
        assertThrows(IllegalArgumentException.class, () -> RawOptions.parse(new String[] {"--workloads", "juggle"}));
    }
}
