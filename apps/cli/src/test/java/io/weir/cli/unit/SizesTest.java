package io.weir.cli.unit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.transport.node.ConfigException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests sizes as people write them. */
class SizesTest {
    @ParameterizedTest
    @CsvSource({
        "1538, 1538",
        "64B, 64",
        "250KB, 250000",
        "64KiB, 65536",
        "128K, 131072",
        "1.5MB, 1500000",
        "2GiB, 2147483648",
        "1g, 1073741824"
    })
    void parse_anyUnit_isBytes(String text, long bytes) {
        assertEquals(bytes, Sizes.parse(text));
        assertEquals(bytes, new Sizes.Converter().convert(text));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1.5   | \"1.5\" is finer than the smallest unit of a size; write bytes, as in 1538",
                "10TB  | \"10TB\" is not a size: it has the unit \"TB\"; write bytes",
                "KB    | \"KB\" is not a size; write bytes"
            })
    void parse_wrong_isRefusedWithTheRemedy(String text, String beginning) {
        String message =
                assertThrows(ConfigException.class, () -> Sizes.parse(text)).getMessage();
        assertEquals(beginning, message.substring(0, Math.min(beginning.length(), message.length())));
    }

    @ParameterizedTest
    @CsvSource({"0, 0 B", "999, 999 B", "1500, 1.5 KB", "2e9, 2 GB", "1234567, 1.235 MB"})
    void print_anySize_hasFourDigitsAndAUnit(double bytes, String text) {
        assertEquals(text, Sizes.print(bytes));
    }
}
