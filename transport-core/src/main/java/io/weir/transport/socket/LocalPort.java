package io.weir.transport.socket;

import io.weir.transport.wire.IpAddress;
import java.io.Closeable;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A port of a transport that is kept for one connection: from {@link Transport#bind} until the connection that it is
 * given to is gone, or until it is closed without one. Any thread.
 */
public final class LocalPort implements Closeable {
    private final PortClaims claims;
    private final InetSocketAddress address;
    private final IpAddress local;
    /** Whether a connection has it, or nobody any more. */
    private final AtomicBoolean isTaken = new AtomicBoolean();

    /**
     * Creates one that is claimed already.
     *
     * @param address what it was bound to, with the port
     * @param local the address in it, or null for any
     */
    LocalPort(PortClaims claims, InetSocketAddress address, IpAddress local) {
        this.claims = claims;
        this.address = address;
        this.local = local;
    }

    /** {@return the address that it was bound to, the wildcard for any, and the port} */
    public InetSocketAddress address() {
        return address;
    }

    int number() {
        return address.getPort();
    }

    /** {@return the address that connections leave from, or null for what the way there says} */
    IpAddress local() {
        return local;
    }

    /** A connection is about to have it. From now on {@link #close} does nothing. */
    void take() throws SocketException {
        if (!isTaken.compareAndSet(false, true)) {
            throw new SocketException("port " + number() + " was used for a connection, or closed; bind another one");
        }
    }

    /** Gives the port back, unless a connection was made from it. */
    @Override
    public void close() {
        if (isTaken.compareAndSet(false, true)) {
            claims.abandon(number());
        }
    }
}
