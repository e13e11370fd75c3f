package io.weir.cli.perf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.transport.node.ConfigException;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import org.junit.jupiter.api.Test;

/** Tests times in strftime's form. */
class TimestampsTest {
    private static final ZonedDateTime TIME = ZonedDateTime.of(2026, 3, 7, 14, 5, 9, 0, ZoneOffset.UTC);

    @Test
    void print_conversionsAndText_areThoseOfStrftime() {
        assertEquals("Sat Mar  7 14:05:09 2026 ", new Timestamps(Timestamps.DEFAULT).print(TIME));
        assertEquals("2026-03-07T14:05:09+0000", new Timestamps("%FT%T%z").print(TIME));
        assertEquals("100%", new Timestamps("100%%").print(TIME));
        assertEquals(Long.toString(TIME.toEpochSecond()), new Timestamps("%s").print(TIME));
        assertEquals("02 066 PM", new Timestamps("%I %j %p").print(TIME));
    }

    @Test
    void constructor_unknownConversion_isRefusedAtOnce() {
        assertThrows(ConfigException.class, () -> new Timestamps("%Q"));
    }
}
