package io.weir.nic.xdp;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.nic.NicException;
import io.weir.nic.net.InterfaceFacts;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests {@link JoinedDevices} by what the kernel would tell of interfaces that are not here. */
class JoinedDevicesTest {
    private static InterfaceFacts of(String driver) {
        return new InterfaceFacts("x0", 7, 1, 1_500, true, true, 4, driver, 0, 0, List.of());
    }

    private static String refused(String driver, List<String> members) {
        return assertThrows(NicException.class, () -> JoinedDevices.requireNone(of(driver), members))
                .getMessage();
    }

    @ParameterizedTest
    @ValueSource(strings = {"bonding", "team"})
    void requireNone_bond_isRefusedWithItsMembersAndTwoWaysOut(String driver) {
        String message = refused(driver, List.of("eth1", "eth2"));
        assertTrue(message.contains("x0 is a bond (driver " + driver + ") of [eth1, eth2]"), message);
        assertTrue(message.contains("--backend af-packet"), message);
        assertTrue(message.endsWith("ip link set eth1 nomaster"), message);
        assertTrue(refused(driver, List.of()).endsWith("ip link set MEMBER nomaster"));
    }

    @Test
    void requireNone_virtualFunctionBelow_isRefusedWhereItsDriverMovesTheTraffic() {
        String message = refused("hv_netvsc", List.of("enP1s1"));
        assertTrue(message.contains("the virtual function [enP1s1] below it"), message);
        assertDoesNotThrow(() -> JoinedDevices.requireNone(of("hv_netvsc"), List.of()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ena", "veth", "bridge", ""})
    void requireNone_others_areTaken(String driver) {
        assertDoesNotThrow(() -> JoinedDevices.requireNone(of(driver), List.of("below")));
    }
}
