package io.weir.transport.fallback;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

/** Tests which peers are asked for Weir, by times of the test's. */
class PeerMemoryTest {
    private static final InetSocketAddress PEER = new InetSocketAddress("10.0.0.2", 80);

    private final PeerMemory memory = new PeerMemory();

    @Test
    void absence_afterARefusal_lastsAMinute() {
        memory.onRefused(PEER, "nobody listens", 5);
        assertEquals("nobody listens", memory.absence(PEER, 5));
        assertNotNull(memory.absence(PEER, 4 + PeerMemory.ABSENT_NANOS));
        assertNull(memory.absence(new InetSocketAddress("10.0.0.2", 81), 5));
        assertNull(memory.absence(PEER, 5 + PeerMemory.ABSENT_NANOS));
    }

    @Test
    void absence_afterUnansweredOpenings_beginsWithTheThirdInARow() {
        memory.onUnanswered(PEER, 1);
        memory.onUnanswered(PEER, 2);
        memory.onOpened(PEER);
        memory.onUnanswered(PEER, 3);
        memory.onUnanswered(PEER, 4);
        assertNull(memory.absence(PEER, 4));
        memory.onUnanswered(PEER, 5);
        assertNotNull(memory.absence(PEER, 5));
        assertNull(memory.absence(PEER, 5 + PeerMemory.ABSENT_NANOS));
        memory.onUnanswered(PEER, 6 + PeerMemory.ABSENT_NANOS);
        assertNull(memory.absence(PEER, 6 + PeerMemory.ABSENT_NANOS));
    }

    @Test
    void onRefused_byMoreThanItKeeps_forgetsTheFirst() {
        for (int port = 1; port <= PeerMemory.PEERS_MAX + 1; port++) {
            memory.onRefused(new InetSocketAddress("10.0.0.2", port), "no", 0);
        }
        assertNull(memory.absence(new InetSocketAddress("10.0.0.2", 1), 0));
        assertNotNull(memory.absence(new InetSocketAddress("10.0.0.2", 2), 0));
    }
}
