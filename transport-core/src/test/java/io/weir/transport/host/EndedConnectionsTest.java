package io.weir.transport.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Tests {@link EndedConnections}. */
class EndedConnectionsTest {
    private final EndedConnections ended = new EndedConnections();

    @Test
    void add_moreThanAreRemembered_forgetsTheOldest() {
        int count = 3 * EndedConnections.COUNT_MAX + 1;
        for (int tag = 1; tag <= count; tag++) {
            ended.add(tag);
            assertTrue(ended.contains(tag));
            assertFalse(ended.contains(tag - EndedConnections.COUNT_MAX), "tag " + tag);
        }
        assertEquals(EndedConnections.COUNT_MAX, ended.size());
    }
}
