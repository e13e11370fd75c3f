package io.weir.nic.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.node.ConfigException;
import io.weir.transport.runtime.IdleMode;
import io.weir.transport.runtime.PortConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests what a service manager hands over. */
class BrokerConfigTest {
    @Test
    void find_oneSocketForThisProcess_isTheFirstDescriptor() {
        assertEquals(3, BrokerConfig.activatedDescriptor(Map.of("LISTEN_FDS", "1", "LISTEN_PID", "42"), 42));
    }

    @Test
    void find_nothingOrForAnotherProcess_isNone() {
        assertEquals(BrokerConfig.NO_DESCRIPTOR, BrokerConfig.activatedDescriptor(Map.of(), 42));
        assertEquals(
                BrokerConfig.NO_DESCRIPTOR,
                BrokerConfig.activatedDescriptor(Map.of("LISTEN_FDS", "1", "LISTEN_PID", "41"), 42));
    }

    @Test
    void find_severalSockets_areRefused() {
        assertThrows(
                ConfigException.class,
                () -> BrokerConfig.activatedDescriptor(Map.of("LISTEN_FDS", "2", "LISTEN_PID", "42"), 42));
    }

    @Test
    void create_memoryForNothing_isRefusedWithTheLeast() {
        ConfigException refused = assertThrows(
                ConfigException.class,
                () -> new BrokerConfig(
                        "eth0",
                        "memory",
                        Path.of("/nowhere"),
                        BrokerConfig.NO_DESCRIPTOR,
                        PortRights.asFromTheKernel(),
                        List.of(),
                        IdleMode.BACK_OFF,
                        1_000_000,
                        PortConfig.DEFAULT));
        assertTrue(refused.getMessage().contains("give it 64000000 bytes or more"), refused.getMessage());
    }
}
