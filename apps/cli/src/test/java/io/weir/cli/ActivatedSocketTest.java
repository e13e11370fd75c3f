package io.weir.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.nic.broker.BrokerConfig;
import io.weir.transport.node.ConfigException;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests what a service manager hands over. */
class ActivatedSocketTest {
    @Test
    void find_oneSocketForThisProcess_isTheFirstDescriptor() {
        assertEquals(
                3,
                ActivatedSocket.find(Map.of("LISTEN_FDS", "1", "LISTEN_PID", "42"), 42)
                        .descriptor());
    }

    @Test
    void find_nothingOrForAnotherProcess_isNone() {
        assertEquals(
                BrokerConfig.NO_DESCRIPTOR, ActivatedSocket.find(Map.of(), 42).descriptor());
        assertEquals(
                BrokerConfig.NO_DESCRIPTOR,
                ActivatedSocket.find(Map.of("LISTEN_FDS", "1", "LISTEN_PID", "41"), 42)
                        .descriptor());
    }

    @Test
    void find_severalSockets_areRefused() {
        assertThrows(
                ConfigException.class, () -> ActivatedSocket.find(Map.of("LISTEN_FDS", "2", "LISTEN_PID", "42"), 42));
    }
}
