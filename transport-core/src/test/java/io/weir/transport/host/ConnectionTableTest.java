package io.weir.transport.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.testing.PeerFrames;
import io.weir.transport.testing.Script;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests {@link ConnectionTable}, as a host uses it. */
class ConnectionTableTest {
    @Test
    void freeId_manyConnectionsOpenedAndClosed_reusesNumbers() {
        try (Script script = new Script()) {
            List<Connection> open = new ArrayList<>();
            for (int i = 0; i < 300; i++) {
                script.connect(30_000 + i, 0);
                open.add(script.connection());
                assertTrue(script.connection().id() <= 50, "a number below the most connections at once");
                if (open.size() == 50) {
                    open.forEach(Connection::abort);
                    open.clear();
                }
                assertEquals(open.size(), script.host().connectionCount());
            }
            script.after(1_000_000).forgetSent();
        }
    }

    @Test
    void freeId_closedConnection_givesItsNumberToTheNext() {
        try (Script script = new Script().connect(1_000, 0)) {
            int id = script.connection().id();
            script.abort().connect(1_001, 0);
            assertEquals(id, script.connection().id());
            script.forgetSent();
        }
    }

    @Test
    void byRemoteTag_twoPeersWithTheSameTag_keepTheirOwnConnections() {
        try (Script script = new Script().listen()) {
            PeerFrames first = script.peer();
            PeerFrames second = first.withPath(io.weir.transport.wire.Path.from(
                            first.path().localMac(), first.path().local(), 50_000)
                    .to(
                            first.path().remoteMac(),
                            first.path().remote(),
                            first.path().remotePort()));
            List<Connection> connections = new ArrayList<>();
            for (PeerFrames peer : List.of(first, second)) {
                script.receives(unused -> peer.open(0, 0))
                        .receives(unused -> peer.open(1, 0))
                        .after(1_000);
                script.receives(current -> peer.withTag(tagOf(script)).ack(0, 1_000, 0));
                connections.add(script.connection());
            }
            assertEquals(2, script.host().connectionCount());
            connections.get(0).abort();
            script.after(1_000).forgetSent().receives(unused -> second.open(1, 0));
            assertEquals(
                    "ACCEPT protocol=1 window=262144 backlog=0",
                    script.takeSent().get(0).text());
            assertEquals(1, script.host().connectionCount());
            assertNull(connections.get(1).closeReason());
            assertNotNull(connections.get(0).closeReason());
        }
    }

    /** {@return the tag that the host's latest ACCEPT told} */
    private static long tagOf(Script script) {
        return script.peer().tag();
    }
}
