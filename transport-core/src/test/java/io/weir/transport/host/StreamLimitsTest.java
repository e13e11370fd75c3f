package io.weir.transport.host;

import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.transport.node.ConfigException;
import org.junit.jupiter.api.Test;

/** Tests {@link StreamLimits}. */
class StreamLimitsTest {
    @Test
    void constructor_outOfRange_isRefused() {
        assertThrows(ConfigException.class, () -> StreamLimits.fixed(4095, 4096));
        assertThrows(ConfigException.class, () -> StreamLimits.fixed(4096, (1 << 30) + 1));
        assertThrows(ConfigException.class, () -> StreamLimits.fixed(4096, 4096).withGapsMax(0));
    }
}
