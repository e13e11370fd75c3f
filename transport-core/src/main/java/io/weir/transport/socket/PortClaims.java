package io.weir.transport.socket;

import io.weir.transport.runtime.NetInterface;
import java.io.IOException;
import java.net.BindException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntUnaryOperator;

/**
 * The UDP ports whose frames a transport has from the kernel. A port stays claimed while it is listened on or a connection
 * uses it: one that is accepted outlives its listener, and one that lingers must still hear repetitions.
 *
 * <p>Any thread may claim. The lock is the loop's too, but only when a connection or a listener ends.
 */
final class PortClaims {
    private final NetInterface netInterface;
    private final IntUnaryOperator connectionCount;
    private final Set<Integer> claimed = new HashSet<>();
    private final Set<Integer> listening = new HashSet<>();

    /**
     * Creates the claims of a transport that has none.
     *
     * @param connectionCount how many connections use a port; asked on the loop's thread alone
     */
    PortClaims(NetInterface netInterface, IntUnaryOperator connectionCount) {
        this.netInterface = netInterface;
        this.connectionCount = connectionCount;
    }

    /**
     * Claims a port to listen on, unless connections of an earlier listener hold it still.
     *
     * @return whether none does
     */
    synchronized boolean claimForListening(int port) throws IOException {
        if (listening.contains(port)) {
            throw new BindException(
                    "port " + port + " is in use by this transport; close its listener, or take another");
        }
        boolean isNew = !claimed.contains(port);
        if (isNew) {
            netInterface.claimPort(port);
            claimed.add(port);
        }
        listening.add(port);
        return isNew;
    }

    /** Claims a port that nobody has, for a connection that is about to be made. */
    synchronized void claimForConnection(int port) throws IOException {
        if (claimed.contains(port)) {
            throw new BindException("port " + port + " is in use by this transport");
        }
        netInterface.claimPort(port);
        claimed.add(port);
    }

    /** Nobody listens any more. Loop thread. */
    synchronized void endListening(int port) {
        listening.remove(port);
        releaseIfUnused(port);
    }

    /** Gives a port back if nothing needs it. Loop thread. */
    synchronized void releaseIfUnused(int port) {
        if (!listening.contains(port) && connectionCount.applyAsInt(port) == 0 && claimed.remove(port)) {
            netInterface.releasePort(port);
        }
    }

    /** Gives back a port claimed for a connection that could not be made. */
    synchronized void abandon(int port) {
        if (claimed.remove(port)) {
            netInterface.releasePort(port);
        }
    }

    /** Gives back a port claimed for a listener that could not be made; {@code isNew} is what claiming it said. Any thread. */
    synchronized void abandonListening(int port, boolean isNew) {
        listening.remove(port);
        if (isNew) {
            abandon(port);
        }
    }

    /** Gives every port back, also if some of them cannot be: the transport ends. */
    synchronized void releaseAll() {
        RuntimeException first = null;
        for (int port : List.copyOf(claimed)) {
            try {
                abandon(port);
            } catch (RuntimeException e) {
                first = first == null ? e : first;
            }
        }
        listening.clear();
        if (first != null) {
            throw first;
        }
    }
}
