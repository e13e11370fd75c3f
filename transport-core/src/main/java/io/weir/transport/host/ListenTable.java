package io.weir.transport.host;

import io.weir.transport.wire.Datagram;
import io.weir.transport.wire.IpAddress;
import io.weir.transport.wire.Path;
import java.util.ArrayList;
import java.util.List;
import org.agrona.collections.Int2ObjectHashMap;

/**
 * Who listens on each port: one for all of the host's addresses, or several for one address each. Owned by the host's
 * thread; looking allocates nothing.
 *
 * @param <A> what decides about connections
 */
final class ListenTable<A> {
    /** What {@link #idOf} gives where nobody listens. */
    static final int NOBODY = 0;

    private final Int2ObjectHashMap<List<Entry<A>>> byPort = new Int2ObjectHashMap<>();
    /** The number of the entry that was added last: each has another, so that none is taken for an earlier one. */
    private int lastId = NOBODY;

    /**
     * Who listens.
     *
     * @param local the address that connections must come to, or null for any
     */
    private record Entry<A>(int id, IpAddress local, A acceptor) {
        boolean isFor(long high, long low, boolean isV6) {
            return local == null || (local.low() == low && local.high() == high && local.isV6() == isV6);
        }

        boolean isAt(IpAddress address) {
            return local == null || address == null || local.equals(address);
        }
    }

    /**
     * {@return whether the port was free at this address; then the acceptor has it}
     *
     * @param local null for all addresses
     */
    boolean add(int port, IpAddress local, A acceptor) {
        List<Entry<A>> entries = byPort.computeIfAbsent(port, any -> new ArrayList<>(1));
        for (Entry<A> entry : entries) {
            if (entry.isAt(local)) {
                return false;
            }
        }
        lastId++;
        return entries.add(new Entry<>(lastId, local, acceptor));
    }

    /** Takes from an acceptor what {@link #add} gave it. */
    void remove(int port, A acceptor) {
        List<Entry<A>> entries = byPort.get(port);
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
    A find(Datagram opening) {
        Entry<A> entry = entryOf(opening);
        return entry == null ? null : entry.acceptor;
    }

    /** {@return the number of who decides about an opening, or {@link #NOBODY}} */
    int idOf(Datagram opening) {
        Entry<A> entry = entryOf(opening);
        return entry == null ? NOBODY : entry.id;
    }

    /** {@return who decides about a connection by this path, or null if that is not the one of this number} */
    A find(Path path, int id) {
        IpAddress local = path.local();
        Entry<A> entry = entryOf(path.localPort(), local.high(), local.low(), local.isV6());
        return entry == null || entry.id != id ? null : entry.acceptor;
    }

    private Entry<A> entryOf(Datagram opening) {
        return entryOf(opening.destinationPort(), opening.destinationHigh(), opening.destinationLow(), opening.isV6());
    }

    private Entry<A> entryOf(int port, long high, long low, boolean isV6) {
        List<Entry<A>> entries = byPort.get(port);
        if (entries == null) {
            return null;
        }
        for (int i = 0; i < entries.size(); i++) {
            Entry<A> entry = entries.get(i);
            if (entry.isFor(high, low, isV6)) {
                return entry;
            }
        }
        return null;
    }
}
