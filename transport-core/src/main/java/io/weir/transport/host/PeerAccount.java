package io.weir.transport.host;

import io.weir.transport.flow.BufferShare;
import io.weir.transport.wire.IpAddress;

/** What one peer address has of a host: an account exists while the peer has a connection or a half-open one. */
final class PeerAccount {
    private final IpAddress address;
    /** Null where buffers only count. */
    private final BufferShare memory;
    /** Connections in any state but closed. Changed by the host, one at a time. */
    private int connectionCount;
    /** Openings of this peer that it has not confirmed. Changed by the handshake, one at a time. */
    private int halfOpenCount;
    /** Those of them that are whole connections, with credit state: at most {@link #halfOpenCount}. */
    private int creditedCount;

    PeerAccount(IpAddress address, BufferShare memory) {
        this.address = address;
        this.memory = memory;
    }

    IpAddress address() {
        return address;
    }

    BufferShare memory() {
        return memory;
    }

    int connectionCount() {
        return connectionCount;
    }

    int halfOpenCount() {
        return halfOpenCount;
    }

    int creditedCount() {
        return creditedCount;
    }

    boolean isEmpty() {
        return connectionCount == 0 && halfOpenCount == 0;
    }

    void addConnection(int change) {
        connectionCount += change;
    }

    void addHalfOpen(int change) {
        halfOpenCount += change;
    }

    void addCredited(int change) {
        creditedCount += change;
    }
}
