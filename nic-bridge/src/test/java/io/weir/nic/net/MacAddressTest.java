package io.weir.nic.net;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** Tests {@link MacAddress}. */
class MacAddressTest {
    @Test
    void of_sixBytes_firstIsHighest() {
        assertEquals(0x0200_0A00_00FFL, MacAddress.of(new byte[] {2, 0, 10, 0, 0, (byte) 0xFF}));
    }

    @Test
    void of_notSixBytes_isZero() {
        assertEquals(0, MacAddress.of(new byte[8]));
        assertEquals(0, MacAddress.of(null));
    }

    @Test
    void text_leadingZeros_areKept() {
        assertEquals("02:00:0a:00:00:ff", MacAddress.text(0x0200_0A00_00FFL));
    }
}
