package io.weir.transport.host;

import io.weir.transport.wire.Datagram;
import io.weir.transport.wire.IpAddress;
import io.weir.transport.wire.Path;
import java.util.ArrayList;
import java.util.List;
import org.agrona.collections.Int2ObjectHashMap;

/**
 * Who decides about connections to each port: one acceptor for all of the host's addresses, or several for one address
 * each. Owned by the host's thread; looking allocates nothing.
 */
final class Acceptors {
    private final Int2ObjectHashMap<List<Entry>> byPort = new Int2ObjectHashMap<>();

    /**
     * Who decides.
     *
     * @param local the address that connections must come to, or null for any
     */
    private record Entry(IpAddress local, ConnectionAcceptor acceptor) {
        boolean isFor(long high, long low, boolean isV6) {
            return local == null || (local.low() == low && local.high() == high && local.isV6() == isV6);
        }

        boolean isIn(IpAddress address) {
            return local == null || address == null || local.equals(address);
        }
    }

    /**
     * {@return whether the port was free at this address; then the acceptor has it}
     *
     * @param local null for all addresses
     */
    boolean add(int port, IpAddress local, ConnectionAcceptor acceptor) {
        List<Entry> entries = byPort.computeIfAbsent(port, any -> new ArrayList<>(1));
        for (Entry entry : entries) {
            if (entry.isIn(local)) {
                return false;
            }
        }
        return entries.add(new Entry(local, acceptor));
    }

    /** Takes from an acceptor what {@link #add} gave it. */
    void remove(int port, ConnectionAcceptor acceptor) {
        List<Entry> entries = byPort.get(port);
        if (entries != null && entries.removeIf(entry -> entry.acceptor.equals(acceptor)) && entries.isEmpty()) {
            byPort.remove(port);
        }
    }

    void remove(int port) {
        byPort.remove(port);
    }

    void clear() {
        byPort.clear();
    }

    /** {@return who decides about an opening, or null} */
    ConnectionAcceptor find(Datagram opening) {
        return find(
                opening.destinationPort(), opening.destinationHigh(), opening.destinationLow(), opening.isV6());
    }

    /** {@return who decides about a connection by this path, or null} */
    ConnectionAcceptor find(Path path) {
        IpAddress local = path.local();
        return find(path.localPort(), local.high(), local.low(), local.isV6());
    }

    private ConnectionAcceptor find(int port, long high, long low, boolean isV6) {
        List<Entry> entries = byPort.get(port);
        if (entries == null) {
            return null;
        }
        for (int i = 0; i < entries.size(); i++) {
            Entry entry = entries.get(i);
            if (entry.isFor(high, low, isV6)) {
                return entry.acceptor.isAccepting() ? entry.acceptor : null;
            }
        }
        return null;
    }
}
