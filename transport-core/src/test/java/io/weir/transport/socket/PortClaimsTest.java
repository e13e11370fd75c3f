package io.weir.transport.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.node.NetPort;
import io.weir.transport.runtime.NetInterface;
import io.weir.transport.runtime.Waiter;
import io.weir.transport.wire.Path;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests {@link PortClaims}. */
class PortClaimsTest {
    private static final int FIRST = 50_000;
    private static final int LISTENED = 4720;

    private final Taken taken = new Taken();
    /** Connections of each port, as a host would count them. */
    private final Map<Integer, Integer> connections = new HashMap<>();

    private final PortClaims claims = new PortClaims(taken, port -> connections.getOrDefault(port, 0));

    private void connect(int port) {
        connections.merge(port, 1, Integer::sum);
        claims.onConnection(port);
    }

    private void forget(int port) {
        connections.merge(port, -1, Integer::sum);
        claims.releaseIfUnused(port);
    }

    private void claimAll() throws IOException {
        for (int i = 0; i < PortClaims.OWN_PORTS_MAX; i++) {
            assertEquals(0, claims.share());
            claims.claimForConnection(FIRST + i);
            connect(FIRST + i);
        }
    }

    @Test
    void claimForConnection_portThatIsTaken_isRefused() throws IOException {
        claims.claimForConnection(FIRST);
        assertThrows(BindException.class, () -> claims.claimForConnection(FIRST));
        assertEquals(Set.of(FIRST), taken.ports);
    }

    @Test
    void releaseIfUnused_lastConnectionOfAPort_givesItBack() throws IOException {
        claims.claimForConnection(FIRST);
        connect(FIRST);
        assertEquals(Set.of(FIRST), taken.ports);
        forget(FIRST);
        assertEquals(Set.of(), taken.ports);
    }

    @Test
    void share_tenThousandConnections_haveAThousandPortsEvenly() throws IOException {
        claimAll();
        for (int i = PortClaims.OWN_PORTS_MAX; i < 10 * PortClaims.OWN_PORTS_MAX; i++) {
            connect(claims.share());
        }
        assertEquals(PortClaims.OWN_PORTS_MAX, taken.ports.size());
        assertEquals(Set.of(10), new HashSet<>(connections.values()));
        for (int i = 0; i < 10 * PortClaims.OWN_PORTS_MAX; i++) {
            assertEquals(10 * PortClaims.OWN_PORTS_MAX - i > 0, !taken.ports.isEmpty());
            forget(FIRST + i % PortClaims.OWN_PORTS_MAX);
        }
        assertEquals(Set.of(), taken.ports);
        assertEquals(0, claims.share());
    }

    @Test
    void share_connectionEndsBeforeTheNextIsMade_keepsThePort() throws IOException {
        claimAll();
        int port = claims.share();
        forget(port);
        assertTrue(taken.ports.contains(port));
        connect(port);
        forget(port);
        assertFalse(taken.ports.contains(port));
    }

    @Test
    void abandon_sharedPort_isGivenBackWithItsLastConnection() throws IOException {
        claimAll();
        int port = claims.share();
        claims.abandon(port);
        assertTrue(taken.ports.contains(port));
        forget(port);
        assertFalse(taken.ports.contains(port));
    }

    @Test
    void abandon_afterTheLastConnectionEnded_givesThePortBack() throws IOException {
        claimAll();
        int port = claims.share();
        forget(port);
        claims.abandon(port);
        assertFalse(taken.ports.contains(port));
    }

    @Test
    void endListening_connectionsAreLeft_keepsThePortUntilTheyEnd() throws IOException {
        assertTrue(claims.claimForListening(LISTENED));
        assertThrows(BindException.class, () -> claims.claimForListening(LISTENED));
        connections.put(LISTENED, 1);
        claims.endListening(LISTENED);
        assertEquals(Set.of(LISTENED), taken.ports);
        assertFalse(claims.claimForListening(LISTENED));
        claims.endListening(LISTENED);
        forget(LISTENED);
        assertEquals(Set.of(), taken.ports);
    }

    @Test
    void abandonListening_portThatWasNew_isGivenBack() throws IOException {
        claims.abandonListening(LISTENED, claims.claimForListening(LISTENED));
        assertEquals(Set.of(), taken.ports);
    }

    @Test
    void releaseAll_portsOfAllKinds_areGivenBack() throws IOException {
        claims.claimForListening(LISTENED);
        claims.claimForConnection(FIRST);
        claims.claimForConnection(FIRST + 1);
        connect(FIRST + 1);
        claims.releaseAll();
        assertEquals(Set.of(), taken.ports);
    }

    /** Notes which ports are taken from the kernel. */
    private static final class Taken implements NetInterface {
        private final Set<Integer> ports = new HashSet<>();

        @Override
        public void claimPort(int port) {
            assertTrue(ports.add(port));
        }

        @Override
        public void releasePort(int port) {
            assertTrue(ports.remove(port));
        }

        @Override
        public NetPort port() {
            throw new UnsupportedOperationException();
        }

        @Override
        public List<InetAddress> addresses() {
            throw new UnsupportedOperationException();
        }

        @Override
        public Path resolve(int localPort, InetSocketAddress remote) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Waiter newWaiter() {
            throw new UnsupportedOperationException();
        }
    }
}
