package io.weir.nic.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.transport.node.ConfigException;
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
}
