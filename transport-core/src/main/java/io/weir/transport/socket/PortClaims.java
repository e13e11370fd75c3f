package io.weir.transport.socket;

import io.weir.transport.runtime.NetInterface;
import io.weir.transport.wire.IpAddress;
import java.io.IOException;
import java.net.BindException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;

/**
 * The UDP ports whose frames a transport has from the kernel. A port stays claimed while it is listened on or a
 * connection uses it: one that is accepted outlives its listener, and one that lingers must still receive repetitions.
 * Some that connections no longer use are kept for the next ones, see {@link #IDLE_PORTS_MAX}.
 *
 * <p>Connections that this end opens have separate ports up to {@link #OWN_PORTS_MAX}, so that the network spreads
 * them over its paths; further ones share those in turn, as frames find their connection by its tag. A claimed port
 * costs a descriptor per address, of which ten thousand connections would otherwise need more than a process usually
 * gets.
 *
 * <p>Any thread may claim. The lock is the loops' too, but only when a connection or a listener begins or ends.
 */
final class PortClaims {
    /** The most ports that are claimed for connections alone: more than a network has paths between two hosts. */
    static final int OWN_PORTS_MAX = 1_024;
    /**
     * The most ports that are kept for further connections once nothing uses them. To claim a port and to give it back
     * takes a dozen system calls, mostly on the loop's thread: more time than the frames of a short connection.
     */
    static final int IDLE_PORTS_MAX = 64;

    private static final int PORT_MAX = 65_535;

    private final NetInterface netInterface;
    /** How many connections of each loop use a port; asked on that loop's thread alone. */
    private final List<IntUnaryOperator> connectionCounts;

    private final Map<Integer, Claim> claims = new HashMap<>();
    /** The claims of ports that connections have for themselves, in no order. */
    private final List<Claim> own = new ArrayList<>();
    /** Which of {@link #own} is shared next. */
    private int nextShared;
    /** The claims that nothing uses, the one that was used last at the end. */
    private final ArrayDeque<Claim> idle = new ArrayDeque<>();

    /** What needs a port. */
    private static final class Claim {
        private final int port;
        /** Those that listen on it: one at all addresses, or several at one each. */
        private final List<Listening> listeners = new ArrayList<>(1);
        /** Listeners that are over, counted once for each loop that does not know yet. */
        private int endingCount;
        /** Connections that are about to be made from it. */
        private int pendingCount;
        /** Connections that use it, as each loop's thread counted its own last. */
        private final int[] connectionCounts;
        /** Its place in {@link #own}, or -1 for a port that was claimed to listen on. */
        private int ownIndex = -1;
        /** Whether the application asked for this very port, and may ask for it again. */
        private boolean isChosen;
        /** Whether it is kept in {@link #idle}. */
        private boolean isIdle;

        Claim(int port, int loopCount) {
            this.port = port;
            this.connectionCounts = new int[loopCount];
        }

        boolean isUsed() {
            boolean isUsed = !listeners.isEmpty() || endingCount > 0 || pendingCount > 0;
            for (int count : connectionCounts) {
                isUsed |= count > 0;
            }
            return isUsed;
        }
    }

    /**
     * Creates the claims of a transport that has none.
     *
     * @param connectionCounts how many connections of each loop use a port; asked on that loop's thread alone
     */
    PortClaims(NetInterface netInterface, List<IntUnaryOperator> connectionCounts) {
        this.netInterface = netInterface;
        this.connectionCounts = connectionCounts;
    }

    /** Refuses a number that no port has. */
    static void requireValid(int port) {
        if (port < 1 || port > PORT_MAX) {
            throw new IllegalArgumentException("port=" + port + " is outside 1.." + PORT_MAX + "; give one within");
        }
    }

    /**
     * Claims a port to listen on.
     *
     * @return whether no connections of an earlier listener hold it still
     * @throws BindException if another one listens there
     */
    synchronized boolean claimForListening(Listening listening) throws IOException {
        int port = listening.localPort();
        releaseIdle(port);
        Claim claim = claims.get(port);
        boolean isNew = claim == null;
        if (isNew) {
            claim = claim(port);
        } else if (isListenedOn(claim, listening.local())) {
            throw new BindException("Address already in use: this transport listens on port " + port
                    + " already; close its listener, or take another port");
        } else if (claim.ownIndex >= 0) {
            throw new BindException("Address already in use: connections of this transport leave from port " + port
                    + "; close them, or take another port");
        }
        claim.listeners.add(listening);
        return isNew;
    }

    /** {@return whether something listens at an address, or null for any} */
    private static boolean isListenedOn(Claim claim, IpAddress address) {
        for (Listening listening : claim.listeners) {
            if (listening.isAt(address)) {
                return true;
            }
        }
        return false;
    }

    private Claim claim(int port) throws IOException {
        netInterface.claimPort(port);
        Claim claim = new Claim(port, connectionCounts.size());
        claims.put(port, claim);
        return claim;
    }

    /**
     * {@return a port that is claimed already and suitable, for a connection that is about to be made; 0 if it is to
     * have a separate one and none is kept, and where none is suitable} The one kept longest comes first: its last
     * connection is the least likely to be alive at the peer.
     */
    synchronized int reuse(IntPredicate isSuitable) {
        for (Claim claim : idle) {
            if (isSuitable.test(claim.port)) {
                idle.remove(claim);
                claim.isIdle = false;
                claim.pendingCount++;
                return claim.port;
            }
        }
        if (own.size() < OWN_PORTS_MAX) {
            return 0;
        }
        for (int i = 0; i < own.size(); i++) {
            nextShared = (nextShared + 1) % own.size();
            Claim claim = own.get(nextShared);
            if (isSuitable.test(claim.port)) {
                claim.pendingCount++;
                return claim.port;
            }
        }
        return 0;
    }

    /** {@return whether only loops hold a port that have not heard yet that its listener is over} */
    synchronized boolean isEnding(int port) {
        Claim claim = claims.get(port);
        return claim != null && claim.endingCount > 0 && claim.listeners.isEmpty() && claim.pendingCount == 0;
    }

    /** {@return whether connections to a port are taken at an address} */
    synchronized boolean isListening(IpAddress address, int port) {
        Claim claim = claims.get(port);
        return claim != null && isListenedOn(claim, address);
    }

    /**
     * Claims a port that nobody has, for a connection that is about to be made.
     *
     * @param isChosen whether the application asked for this very port; it is not kept for others
     */
    synchronized void claimForConnection(int port, boolean isChosen) throws IOException {
        releaseIdle(port);
        if (claims.containsKey(port)) {
            throw new BindException("Address already in use: port " + port + " is this transport's already");
        }
        Claim claim = claim(port);
        claim.isChosen = isChosen;
        claim.pendingCount = 1;
        claim.ownIndex = own.size();
        own.add(claim);
    }

    /** The connection for which a port was claimed or shared has been made. The loop's thread. */
    synchronized void onConnection(int port, int loopIndex) {
        Claim claim = claims.get(port);
        if (claim != null) {
            claim.pendingCount--;
            count(claim, loopIndex);
        }
    }

    /** Nothing is taken for a listener any more: its port is free for others, though no loop knows. Any thread. */
    synchronized void stopListening(Listening listening) {
        Claim claim = claims.get(listening.localPort());
        if (claim != null && claim.listeners.remove(listening)) {
            claim.endingCount += connectionCounts.size();
        }
    }

    /** A loop listens no more; the port stays claimed until all have said so. That loop's thread. */
    synchronized void endListening(Listening listening, int loopIndex) {
        Claim claim = claims.get(listening.localPort());
        if (claim != null) {
            claim.endingCount--;
            count(claim, loopIndex);
            releaseUnused(claim);
        }
    }

    /** Gives a port back if nothing needs it. The loop's thread. */
    synchronized void releaseIfUnused(int port, int loopIndex) {
        Claim claim = claims.get(port);
        if (claim != null) {
            count(claim, loopIndex);
            releaseUnused(claim);
        }
    }

    private void count(Claim claim, int loopIndex) {
        claim.connectionCounts[loopIndex] = connectionCounts.get(loopIndex).applyAsInt(claim.port);
    }

    private void releaseUnused(Claim claim) {
        if (claim.isUsed() || claim.isIdle) {
            return;
        }
        if (claim.ownIndex >= 0 && !claim.isChosen && idle.size() < IDLE_PORTS_MAX) {
            claim.isIdle = true;
            idle.add(claim);
        } else {
            release(claim);
        }
    }

    /** A port that is kept is asked for by its number. */
    private void releaseIdle(int port) {
        Claim claim = claims.get(port);
        if (claim != null && claim.isIdle) {
            idle.remove(claim);
            release(claim);
        }
    }

    private void release(Claim claim) {
        claims.remove(claim.port);
        if (claim.ownIndex >= 0) {
            Claim last = own.remove(own.size() - 1);
            if (last.port != claim.port) {
                own.set(claim.ownIndex, last);
                last.ownIndex = claim.ownIndex;
            }
        }
        netInterface.releasePort(claim.port);
    }

    /** Gives back a port claimed or shared for a connection that could not be made. Any thread. */
    synchronized void abandon(int port) {
        Claim claim = claims.get(port);
        if (claim != null) {
            claim.pendingCount--;
            releaseUnused(claim);
        }
    }

    /**
     * Gives back a port claimed for a listener that could not be made; {@code isNew} is what claiming it said. Any
     * thread.
     */
    synchronized void abandonListening(Listening listening, boolean isNew) {
        Claim claim = claims.get(listening.localPort());
        if (claim != null) {
            claim.listeners.remove(listening);
            if (isNew) {
                releaseUnused(claim);
            }
        }
    }

    /** Gives every port back, also if some of them cannot be: the transport ends. */
    synchronized void releaseAll() {
        idle.clear();
        RuntimeException first = null;
        for (Claim claim : List.copyOf(claims.values())) {
            try {
                release(claim);
            } catch (RuntimeException e) {
                first = first == null ? e : first;
            }
        }
        if (first != null) {
            throw first;
        }
    }
}
