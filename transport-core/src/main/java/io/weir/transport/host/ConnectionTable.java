package io.weir.transport.host;

import io.weir.transport.telemetry.AccountId;
import io.weir.transport.telemetry.Ledger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.agrona.collections.Int2IntCounterMap;
import org.agrona.collections.IntArrayList;
import org.agrona.collections.Long2ObjectHashMap;

/**
 * The connections of a host: by the tag that their frames carry, by a small number for timers, and, those that a peer
 * opened, by the tag of the peer, so that a repeated opening finds the connection that it made.
 */
final class ConnectionTable {
    private static final int NONE = -1;

    private final Long2ObjectHashMap<Connection> byTag = new Long2ObjectHashMap<>();
    private final Long2ObjectHashMap<Connection> byRemoteTag = new Long2ObjectHashMap<>();
    private final IntArrayList freeIds = new IntArrayList();
    private final Int2IntCounterMap countByLocalPort = new Int2IntCounterMap(0);
    private final int connectionsMax;
    /** The one that {@link #byTag(long)} found last: frames come in runs. Null if it is gone. */
    private Connection latest;

    private Connection[] byId = new Connection[16];
    private int idCount;

    ConnectionTable(int connectionsMax) {
        this.connectionsMax = connectionsMax;
    }

    /** {@return a number that no connection has, or -1 when there are too many} */
    int freeId() {
        if (byTag.size() >= connectionsMax) {
            return NONE;
        }
        if (!freeIds.isEmpty()) {
            return freeIds.popInt();
        }
        if (idCount == byId.length) {
            byId = Arrays.copyOf(byId, idCount * 2);
        }
        return idCount++;
    }

    void add(Connection connection) {
        byId[connection.id()] = connection;
        byTag.put(connection.localTag(), connection);
        countByLocalPort.incrementAndGet(connection.path().localPort());
    }

    void rememberRemote(Connection connection) {
        byRemoteTag.put(connection.remoteTag(), connection);
    }

    @SuppressWarnings("ReferenceEquality") // two peers may have chosen the same tag: only one's own entry goes
    void remove(Connection connection) {
        byTag.remove(connection.localTag());
        latest = null;
        if (byRemoteTag.get(connection.remoteTag()) == connection) {
            byRemoteTag.remove(connection.remoteTag());
        }
        countByLocalPort.decrementAndGet(connection.path().localPort());
        byId[connection.id()] = null;
        freeIds.pushInt(connection.id());
    }

    Connection byTag(long tag) {
        if (latest == null || latest.localTag() != tag) {
            latest = byTag.get(tag);
        }
        return latest;
    }

    Connection byRemoteTag(long tag) {
        return byRemoteTag.get(tag);
    }

    Connection byId(int id) {
        return byId[id];
    }

    /** {@return the number above those that connections have} */
    int idCount() {
        return idCount;
    }

    int countOnPort(int localPort) {
        return countByLocalPort.get(localPort);
    }

    int size() {
        return byTag.size();
    }

    void addTo(Ledger ledger) {
        int places = idCount - freeIds.size();
        ledger.add(AccountId.CONNECTIONS, byTag.size());
        ledger.add(AccountId.MAP_ENTRIES, places + (long) byTag.size() + byRemoteTag.size());
        ledger.add(AccountId.PORTS, countByLocalPort.size());
    }

    /** {@return those that there are now} */
    List<Connection> all() {
        return new ArrayList<>(byTag.values());
    }

    /** Does something with each that there is now; it may end connections. */
    void forEach(Consumer<Connection> action) {
        all().forEach(action);
    }
}
