package io.weir.cli.unit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.transport.node.ConfigException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests durations as people write them. */
class DurationsTest {
    @ParameterizedTest
    @CsvSource({
        "500ns, 500",
        "100us, 100000",
        "10ms, 10000000",
        "2s, 2000000000",
        "1.5m, 90000000000",
        "1min, 60000000000",
        "1h, 3600000000000",
        "10 MS, 10000000",
        "0.001us, 1",
        "0s, 0"
    })
    void parse_withUnit_isNanoseconds(String text, long nanos) {
        assertEquals(nanos, Durations.parse(text));
    }

    @ParameterizedTest
    @CsvSource({"10, 10000000000", "0.5, 500000000", "100ms, 100000000"})
    void parseSeconds_bareNumber_isSeconds(String text, long nanos) {
        assertEquals(nanos, Durations.parseSeconds(text));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "10     | \"10\" is not a duration: it has no unit; write it with a unit, as in 500ns",
                "10days | \"10days\" is not a duration: it has the unit \"days\"; write it with a unit",
                "fast   | \"fast\" is not a duration; write it with a unit",
                "-1s    | \"-1s\" is not a duration; write it with a unit",
                "0.5ns  | \"0.5ns\" is finer than the smallest unit of a duration; write it with a unit",
                "9999999999h | \"9999999999h\" is too large for a duration; write it with a unit"
            })
    void parse_wrong_isRefusedWithTheRemedy(String text, String beginning) {
        String message =
                assertThrows(ConfigException.class, () -> Durations.parse(text)).getMessage();
        assertEquals(beginning, message.substring(0, Math.min(beginning.length(), message.length())));
    }

    @ParameterizedTest
    @CsvSource({"0, 0 ns", "999, 999 ns", "1500, 1.5 us", "93640000, 93.64 ms", "1000000000, 1 s", "-2000, -2 us"})
    void print_anyLength_hasFourDigitsAndAUnit(double nanos, String text) {
        assertEquals(text, Durations.print(nanos));
    }

    @Test
    void converters_sameText_differOnlyForBareNumbers() {
        assertEquals(3_000_000_000L, new Durations.SecondsConverter().convert("3"));
        assertThrows(ConfigException.class, () -> new Durations.Converter().convert("3"));
        assertEquals(3_000_000L, new Durations.Converter().convert("3ms"));
    }
}
