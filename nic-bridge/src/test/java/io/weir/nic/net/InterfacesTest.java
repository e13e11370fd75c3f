package io.weir.nic.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.nic.NicException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Tests {@link Interfaces} with what every Linux has. */
@EnabledOnOs(OS.LINUX)
class InterfacesTest {
    @Test
    void find_loopback_isThere() throws Exception {
        InterfaceFacts loopback = Interfaces.find("lo");
        assertEquals(1, loopback.index());
        assertEquals(0, loopback.macAddress());
        assertTrue(loopback.mtuBytes() >= 1500);
        assertTrue(Interfaces.names().contains("lo"));
    }

    @Test
    void findEthernet_loopback_isRefusedWithTheReason() {
        NicException e = assertThrows(NicException.class, () -> Interfaces.findEthernet("lo"));
        assertTrue(
                e.getMessage().startsWith("interface lo is the loopback, whose frames are on no link"), e.getMessage());
        assertTrue(e.getMessage().contains("use a MemoryNetwork"), e.getMessage());
    }

    @Test
    void find_missing_namesThoseThatExist() {
        NicException e = assertThrows(NicException.class, () -> Interfaces.find("weir-none"));
        assertTrue(e.getMessage().startsWith("interface weir-none not found; interfaces here: ["), e.getMessage());
        assertTrue(e.getMessage().contains("lo"), e.getMessage());
    }

    @Test
    void find_nameTooLong_saysTheLimit() {
        NicException e = assertThrows(NicException.class, () -> Interfaces.find("a-name-of-twenty-one"));
        assertTrue(e.getMessage().contains("20 bytes; Linux allows 1..15"), e.getMessage());
    }
}
