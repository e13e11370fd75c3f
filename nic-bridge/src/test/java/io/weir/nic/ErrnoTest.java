package io.weir.nic;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** Tests {@link Errno}. */
class ErrnoTest {
    @Test
    void describe_knownNumber_givesSymbolAndMeaning() {
        assertEquals("EBUSY (device or resource busy)", Errno.describe(16));
        assertEquals("ENXIO (no such device or address)", Errno.describe(6));
    }

    @Test
    void describe_unknownNumber_givesTheNumber() {
        assertEquals("errno 999", Errno.describe(999));
        assertEquals("errno 0", Errno.symbol(0));
    }
}
