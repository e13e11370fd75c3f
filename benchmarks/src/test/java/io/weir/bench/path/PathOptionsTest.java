package io.weir.bench.path;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

/** Tests {@link PathOptions}. */
class PathOptionsTest {
    @Test
    void parse_nothing_isOneConnectionOfTheDefaultProtocol() {
        PathOptions options = PathOptions.parse();
        assertEquals("weir", options.protocol().preset());
        assertEquals(1, options.connections());
        assertEquals(1, options.creditFrames(), "as on paths with a meter");
        assertEquals(0, options.nanosMax());
    }

    @Test
    void parse_everything_isTaken() {
        PathOptions options = PathOptions.parse(
                "--protocol",
                "dctcp",
                "--frames",
                "20000",
                "--runs",
                "3",
                "--connections",
                "7",
                "--credit-frames",
                "16",
                "--require",
                "800");
        assertEquals("dctcp", options.protocol().preset());
        assertEquals(20_000, options.frames());
        assertEquals(3, options.runs());
        assertEquals(7, options.connections());
        assertEquals(16, options.creditFrames());
        assertEquals(800, options.nanosMax());
    }

    @Test
    void parse_whatMakesNoSense_isRefused() {
        assertThrows(IllegalArgumentException.class, () -> PathOptions.parse("--frames", "9999"));
        assertThrows(IllegalArgumentException.class, () -> PathOptions.parse("--runs", "0"));
        assertThrows(IllegalArgumentException.class, () -> PathOptions.parse("--connections", "20001"));
        assertThrows(IllegalArgumentException.class, () -> PathOptions.parse("--protocol", "carrier-pigeon"));
        assertThrows(IllegalArgumentException.class, () -> PathOptions.parse("--unknown", "1"));
        assertThrows(IllegalArgumentException.class, () -> PathOptions.parse("--frames"));
    }
}
