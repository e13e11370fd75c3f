package io.weir.cli.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests which parts of a text count as addresses. */
class AddressMaskTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "10.0.0.1/24 of eth0|IPV4-1/24 of eth0",
                "[10.0.0.1, 10.0.0.2]|[IPV4-1, IPV4-2]",
                "/10.0.0.1|/IPV4-1",
                "address=10.0.0.1:4720|address=IPV4-1:4720",
                "fd77:0:0:0:0:0:0:1%weir0|IPV6-1%weir0",
                "fe80::1,|IPV6-1,",
                "to 10.0.0.1.|to IPV4-1.",
                "10.0.0.1-10.0.0.9|IPV4-1-IPV4-2",
                "address:10.0.0.12|address:IPV4-1",
                "::ffff:10.0.0.1|IPV6-1",
                "::1|IPV6-1",
                "macAddress=02:00:0a:00:00:01,|macAddress=MAC-1,",
                "Linux 6.18.44, at 12:34:56|Linux 6.18.44, at 12:34:56",
                "0000:03:00.0|0000:03:00.0",
                "Connection::settle|Connection::settle",
                "avg10=0.32 avg60=0.00|avg10=0.32 avg60=0.00",
                "eth0: 1 2|eth0: 1 2"
            })
    void mask_text_hasNamesInPlaceOfAddresses(String text, String masked) {
        assertEquals(masked, new AddressMask().mask(text));
    }

    @Test
    void mask_sameAddressAgain_hasTheSameName() {
        AddressMask mask = new AddressMask();
        assertEquals("IPV4-1 and IPV4-2", mask.mask("10.0.0.1 and 10.0.0.2"));
        assertEquals("IPV4-2, MAC-3", mask.mask("10.0.0.2, 02:00:0a:00:00:01"));
    }
}
