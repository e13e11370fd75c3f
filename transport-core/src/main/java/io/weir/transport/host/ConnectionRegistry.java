package io.weir.transport.host;

import io.weir.transport.flow.BufferBudget;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.wire.Path;
import java.util.function.LongSupplier;

/**
 * Gives each connection of a host its place, its tag, memory and a part of its peer's account, and takes them back when
 * it is over. Owned by the host's thread; O(1) per call.
 *
 * <p>Invariant: the budget for buffers is without what all connections and half-open ones cost.
 */
final class ConnectionRegistry {
    /** What a connection costs without a byte in its buffers; {@code ConnectionMemoryTest} measures it. */
    static final long CONNECTION_BYTES = 8_192;
    /** What a half-open connection without credit state costs. */
    static final long HALF_OPEN_BYTES = 256;

    private final HostStack host;
    private final ConnectionTable table;
    private final PeerAccounts accounts;
    /** Null where buffers only count. */
    private final BufferBudget budget;

    private final LongSupplier secrets;
    /** Connections whose protocol measures delays; raised as streams open, lowered as connections are removed. */
    private int delayMeasuringCount;

    ConnectionRegistry(HostStack host, ConnectionTable table, PeerAccounts accounts, LongSupplier secrets) {
        this.host = host;
        this.table = table;
        this.accounts = accounts;
        this.budget = host.bufferBudget();
        this.secrets = secrets;
    }

    /** {@return a tag that nobody can guess and no connection has} */
    long newTag() {
        long tag = secrets.getAsLong();
        while (tag == 0
                || table.byTag(tag) != null
                || host.handshake().halfOpens().hasTag(tag)) {
            tag = secrets.getAsLong();
        }
        return tag;
    }

    /** {@return how many more connections there are places and memory for} */
    int freeConnectionCount() {
        int places = host.config().connectionsMax() - table.size();
        return budget == null ? places : (int) Math.min(places, budget.bytesFree() / CONNECTION_BYTES);
    }

    /** {@return a new connection, or null if there is no place for one} */
    Connection add(Path path, long tag, Lifecycle.State state) {
        int id = table.freeId();
        if (id < 0) {
            return null;
        }
        PeerAccount account = accounts.of(path.remote());
        account.addConnection(1);
        Connection connection = new Connection(host, id, tag, path, account, state);
        table.add(connection);
        onPopulationChanged();
        host.counters().increment(CounterId.CONNECTIONS_OPENED);
        return connection;
    }

    /** What connections are made of is memory too: buffers have the rest of the budget. */
    void onPopulationChanged() {
        if (budget != null) {
            budget.setReservedBytes(CONNECTION_BYTES * table.size()
                    + HALF_OPEN_BYTES * host.handshake().halfOpens().size());
        }
    }

    /** The connection's protocol has been chosen, and its peer's tag is known. */
    void onStreamsOpened(Connection connection) {
        table.rememberRemote(connection);
        delayMeasuringCount += connection.sender().protocol().measuresDelay() ? 1 : 0;
    }

    /** {@return whether the protocol of any connection measures delays} */
    boolean measuresDelay() {
        return delayMeasuringCount > 0;
    }

    /** The connection is over: gives back all that it had. */
    void remove(Connection connection) {
        table.remove(connection);
        if (connection.sender() != null && connection.sender().protocol().measuresDelay()) {
            delayMeasuringCount--;
        }
        connection.account().addConnection(-1);
        accounts.settle(connection.account());
        onPopulationChanged();
    }
}
