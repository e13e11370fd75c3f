package io.weir.cli.unit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.node.ConfigException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests shares as people write them. */
class FractionsTest {
    @ParameterizedTest
    @CsvSource({"1%, 10000", "0.01, 10000", "100%, 1000000", "1, 1000000", "0, 0", "0.0001%, 1", "' 2.5 % ', 25000"})
    void parsePpm_share_isPartsPerMillion(String text, int ppm) {
        assertEquals(ppm, Fractions.parsePpm(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "%", "half", "1.01", "-0.1", "101%", "0.0000001", "0.00001%"})
    void parsePpm_wrong_isRefusedWithTheRemedy(String text) {
        String message = assertThrows(ConfigException.class, () -> Fractions.parsePpm(text))
                .getMessage();
        assertTrue(message.startsWith("\"" + text + "\" is not a share; write 0 to 1 or 0% to 100%"), message);
    }

    @Test
    void print_fraction_isAPercentage() {
        assertEquals("93.6 %", Fractions.print(0.9364));
        assertEquals("0.0 %", Fractions.print(0));
    }

    @Test
    void parse_shareInAnyForm_isTheSame() {
        assertEquals(0.0625, Fractions.parse("1/16"));
        assertEquals(0.0625, Fractions.parse("6.25%"));
        assertEquals(0.0625, Fractions.parse("0.0625"));
        assertEquals(1.0 / 3, Fractions.parse("1 / 3"));
        for (String text : new String[] {"3/2", "1/0", "-1/2", "101%", "x", "", "1/", "NaN/1"}) {
            assertThrows(ConfigException.class, () -> Fractions.parse(text), text);
        }
    }
}
