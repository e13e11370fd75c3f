package io.weir.transport.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
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

    private final PortClaims claims = new PortClaims(taken, List.of(port -> connections.getOrDefault(port, 0)));

    private void connect(int port) {
        connections.merge(port, 1, Integer::sum);
        claims.onConnection(port, 0);
    }

    private void forget(int port) {
        connections.merge(port, -1, Integer::sum);
        claims.releaseIfUnused(port, 0);
    }

    private static Listening listening(int port) {
        return new Listening(port, null, List.of(connection -> null), ended -> {});
    }

    private void endListening(Listening listening) {
        claims.stopListening(listening);
        claims.endListening(listening, 0);
    }

    private void claimAll() throws IOException {
        for (int i = 0; i < PortClaims.OWN_PORTS_MAX; i++) {
            assertEquals(0, claims.reuse(any -> true));
            claims.claimForConnection(FIRST + i, false);
            connect(FIRST + i);
        }
    }

    @Test
    void claimForConnection_portThatIsTaken_isRefused() throws IOException {
        claims.claimForConnection(FIRST, false);
        assertThrows(BindException.class, () -> claims.claimForConnection(FIRST, false));
        assertEquals(Set.of(FIRST), taken.ports);
    }

    @Test
    void releaseIfUnused_lastConnectionOfAChosenPort_givesItBack() throws IOException {
        claims.claimForConnection(FIRST, true);
        connect(FIRST);
        assertEquals(Set.of(FIRST), taken.ports);
        forget(FIRST);
        assertEquals(Set.of(), taken.ports);
    }

    @Test
    void releaseIfUnused_lastConnectionOfAPort_keepsItForTheNext() throws IOException {
        claims.claimForConnection(FIRST, false);
        claims.claimForConnection(FIRST + 1, false);
        connect(FIRST);
        connect(FIRST + 1);
        forget(FIRST + 1);
        forget(FIRST);
        assertEquals(FIRST + 1, claims.reuse(any -> true));
        assertEquals(FIRST, claims.reuse(any -> true));
        assertEquals(0, claims.reuse(any -> true));
        assertEquals(2, taken.claimCount);
    }

    @Test
    void releaseIfUnused_moreThanAreKept_givesTheOthersBack() throws IOException {
        claimAll();
        for (int i = 0; i < PortClaims.OWN_PORTS_MAX; i++) {
            forget(FIRST + i);
        }
        assertEquals(PortClaims.IDLE_PORTS_MAX, taken.ports.size());
        for (int i = 0; i < PortClaims.IDLE_PORTS_MAX; i++) {
            assertTrue(claims.reuse(any -> true) > 0);
        }
        assertEquals(0, claims.reuse(any -> true));
    }

    @Test
    void claim_portThatIsKept_isClaimedForWhoAsks() throws IOException {
        claims.claimForConnection(FIRST, false);
        connect(FIRST);
        forget(FIRST);
        Listening listening = listening(FIRST);
        assertTrue(claims.claimForListening(listening));
        assertEquals(0, claims.reuse(any -> true));
        endListening(listening);
        assertEquals(Set.of(), taken.ports);
    }

    @Test
    void reuse_tenThousandConnections_haveAThousandPortsEvenly() throws IOException {
        claimAll();
        for (int i = PortClaims.OWN_PORTS_MAX; i < 10 * PortClaims.OWN_PORTS_MAX; i++) {
            connect(claims.reuse(any -> true));
        }
        assertEquals(PortClaims.OWN_PORTS_MAX, taken.ports.size());
        assertEquals(Set.of(10), new HashSet<>(connections.values()));
        int keptUntil = 9 * PortClaims.OWN_PORTS_MAX + PortClaims.IDLE_PORTS_MAX;
        for (int i = 0; i < 10 * PortClaims.OWN_PORTS_MAX; i++) {
            assertEquals(i <= keptUntil, taken.ports.size() == PortClaims.OWN_PORTS_MAX);
            forget(FIRST + i % PortClaims.OWN_PORTS_MAX);
        }
        assertEquals(PortClaims.IDLE_PORTS_MAX, taken.ports.size());
    }

    @Test
    void reuse_connectionEndsBeforeTheNextIsMade_isNotIdle() throws IOException {
        claimAll();
        int port = claims.reuse(any -> true);
        forget(port);
        assertNotEquals(port, claims.reuse(any -> true));
        connect(port);
        forget(port);
        assertEquals(port, claims.reuse(any -> true));
    }

    @Test
    void abandon_sharedPort_isKeptAfterItsLastConnection() throws IOException {
        claimAll();
        int port = claims.reuse(any -> true);
        claims.abandon(port);
        assertNotEquals(port, claims.reuse(any -> true));
        forget(port);
        assertEquals(port, claims.reuse(any -> true));
    }

    @Test
    void abandon_afterTheLastConnectionEnded_keepsThePort() throws IOException {
        claimAll();
        int port = claims.reuse(any -> true);
        forget(port);
        claims.abandon(port);
        assertEquals(port, claims.reuse(any -> true));
    }

    @Test
    void endListening_connectionsAreLeft_keepsThePortUntilTheyEnd() throws IOException {
        Listening first = listening(LISTENED);
        assertTrue(claims.claimForListening(first));
        assertThrows(BindException.class, () -> claims.claimForListening(listening(LISTENED)));
        connections.put(LISTENED, 1);
        endListening(first);
        assertEquals(Set.of(LISTENED), taken.ports);
        Listening second = listening(LISTENED);
        assertFalse(claims.claimForListening(second));
        endListening(second);
        forget(LISTENED);
        assertEquals(Set.of(), taken.ports);
    }

    @Test
    void stopListening_noLoopKnows_freesThePortAndKeepsItFromTheKernel() throws IOException {
        Listening first = listening(LISTENED);
        claims.claimForListening(first);
        claims.stopListening(first);
        assertFalse(claims.isListening(null, LISTENED));
        Listening second = listening(LISTENED);
        assertFalse(claims.claimForListening(second));
        claims.endListening(first, 0);
        assertTrue(claims.isListening(null, LISTENED));
        endListening(second);
        assertEquals(Set.of(), taken.ports);
    }

    @Test
    void abandonListening_portThatWasNew_isGivenBack() throws IOException {
        Listening listening = listening(LISTENED);
        claims.abandonListening(listening, claims.claimForListening(listening));
        assertEquals(Set.of(), taken.ports);
    }

    @Test
    void releaseAll_portsOfAllKinds_areGivenBack() throws IOException {
        claims.claimForListening(listening(LISTENED));
        claims.claimForConnection(FIRST, false);
        claims.claimForConnection(FIRST + 1, false);
        connect(FIRST + 1);
        claims.releaseAll();
        assertEquals(Set.of(), taken.ports);
    }

    /** Notes which ports are taken from the kernel. */
    private static final class Taken implements NetInterface {
        private final Set<Integer> ports = new HashSet<>();
        private int claimCount;

        @Override
        public void claimPort(int port) {
            assertTrue(ports.add(port));
            claimCount++;
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
