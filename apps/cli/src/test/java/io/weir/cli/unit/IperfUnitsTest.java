package io.weir.cli.unit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.transport.node.ConfigException;
import org.junit.jupiter.api.Test;

/** Tests sizes and rates in iperf3's form; the expected texts are what iperf3 3.12 printed. */
class IperfUnitsTest {
    @Test
    void bytes_eachMagnitude_hasThreeDigitsOrFour() {
        assertEquals("0.00 Bytes", IperfUnits.bytes(0));
        assertEquals("1.25 MBytes", IperfUnits.bytes(1_310_720));
        assertEquals(" 639 KBytes", IperfUnits.bytes(654_336));
        assertEquals("1023 KBytes", IperfUnits.bytes(1_047_728));
        assertEquals("10.5 GBytes", IperfUnits.bytes(10.5 * (1 << 30)));
    }

    @Test
    void rate_eachFormat_isInItsUnit() {
        assertEquals("10.5 Mbits/sec", IperfUnits.rate(10_484_575, (char) 0));
        assertEquals("9.99 Mbits/sec", IperfUnits.rate(9_994_000, (char) 0));
        assertEquals("10.0 Mbits/sec", IperfUnits.rate(9_996_000, (char) 0));
        assertEquals("0.01 Gbits/sec", IperfUnits.rate(10_484_575, 'g'));
        assertEquals("1.25 MBytes/sec", IperfUnits.rate(10_485_760, 'M'));
    }

    @Test
    void format_otherLetter_isRefused() {
        assertThrows(ConfigException.class, () -> IperfUnits.format("x"));
        assertThrows(ConfigException.class, () -> IperfUnits.format("mm"));
        assertEquals('T', IperfUnits.format("T"));
    }
}
