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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
        ConfigException refused =
                assertThrows(ConfigException.class, () -> create(1_000_000, BrokerConfig.USER_SHARE_PERCENT_DEFAULT));
        assertTrue(refused.getMessage().contains("give it 64000000 bytes or more"), refused.getMessage());
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 101})
    void create_noShareOfACore_isRefusedWithTheRange(int percent) {
        ConfigException refused =
                assertThrows(ConfigException.class, () -> create(BrokerConfig.MEMORY_BYTES_MIN, percent));
        assertTrue(refused.getMessage().contains("give it 1 to 100 percent"), refused.getMessage());
    }

    private static BrokerConfig create(long memoryBytesMax, int userSharePercent) {
        return new BrokerConfig(
                "eth0",
                "memory",
                Path.of("/nowhere"),
                BrokerConfig.NO_DESCRIPTOR,
                PortRights.asFromTheKernel(),
                List.of(),
                IdleMode.BACK_OFF,
                memoryBytesMax,
                userSharePercent,
                PortConfig.DEFAULT);
    }
}
