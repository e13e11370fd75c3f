package io.weir.cli.unit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.transport.node.ConfigException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests rates as people write them. */
class RatesTest {
    @ParameterizedTest
    @CsvSource({
        "1bps, 1",
        "500Mbps, 500000000",
        "40G, 40000000000",
        "2.5gbit/s, 2500000000",
        "10k, 10000",
        "1Tbps, 1000000000000"
    })
    void parse_withUnit_isBitsASecond(String text, long rateBps) {
        assertEquals(rateBps, Rates.parse(text));
        assertEquals(rateBps, new Rates.Converter().convert(text));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1000   | \"1000\" is not a rate: it has no unit; write bits per second, as in 500Mbps",
                "1GBps! | \"1GBps!\" is not a rate; write bits per second",
                "1MB    | \"1MB\" is not a rate: it has the unit \"MB\"; write bits per second",
                "0bps   | rate \"0bps\" is outside 1bps..1Tbps; write it as in 500Mbps or 1Gbps",
                "2Tbps  | rate \"2Tbps\" is outside 1bps..1Tbps; write it as in 500Mbps or 1Gbps"
            })
    void parse_wrong_isRefusedWithTheRemedy(String text, String beginning) {
        String message =
                assertThrows(ConfigException.class, () -> Rates.parse(text)).getMessage();
        assertEquals(beginning, message.substring(0, Math.min(beginning.length(), message.length())));
    }

    @ParameterizedTest
    @CsvSource({"0, 0 bps", "9364000000, 9.364 Gbps", "1000, 1 kbps", "2500000, 2.5 Mbps", "1e12, 1 Tbps"})
    void print_anyRate_hasFourDigitsAndAUnit(double rateBps, String text) {
        assertEquals(text, Rates.print(rateBps));
    }
}
