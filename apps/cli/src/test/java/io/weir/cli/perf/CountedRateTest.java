package io.weir.cli.perf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.transport.node.ConfigException;
import org.junit.jupiter.api.Test;

/** Tests rates as iperf3's options have them. */
class CountedRateTest {
    @Test
    void parse_withAndWithoutCountAndUnit_isWhatIperf3Takes() {
        assertEquals(new CountedRate(100_000_000, 8), CountedRate.parse("100M/8"));
        assertEquals(new CountedRate(1_000_000, 0), CountedRate.parse("1Mbit/s"));
        assertEquals(new CountedRate(5_000, 0), CountedRate.parse("5000"));
        assertEquals(CountedRate.NONE, CountedRate.parse("0"));
    }

    @Test
    void parse_countOutsideItsLimits_isRefused() {
        assertThrows(ConfigException.class, () -> CountedRate.parse("1M/0"));
        assertThrows(ConfigException.class, () -> CountedRate.parse("1M/1001"));
        assertThrows(ConfigException.class, () -> CountedRate.parse("fast"));
    }
}
