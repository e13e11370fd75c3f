package io.weir.transport.socket;

import io.weir.transport.host.CloseReason;
import io.weir.transport.host.Connection;
import io.weir.transport.host.ConnectionHandler;
import io.weir.transport.protocol.ProtocolId;
import io.weir.transport.runtime.FlowSteering;
import io.weir.transport.runtime.NetInterface;
import io.weir.transport.wire.IpAddress;
import io.weir.transport.wire.Path;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.IntPredicate;

/**
 * Opens connections of a transport's loops: finds the way, claims a local port, and has the loop begin. Any thread,
 * but for {@link #tryOpen}.
 */
final class Opener {
    static final int EPHEMERAL_PORT_MIN = 49_152;
    static final int EPHEMERAL_PORT_COUNT = 65_536 - EPHEMERAL_PORT_MIN;

    private final NetInterface netInterface;
    private final TransportLoops loops;
    private final PortClaims claims;
    private final LocalAddresses addresses;
    private final WaitClock clock;
    /** The ephemeral port that is tried next, counted from the first one; any thread. */
    private final AtomicInteger nextEphemeral;

    /**
     * Creates what opens connections of these loops.
     *
     * @param firstEphemeral any number: ports are tried from there on
     */
    Opener(
            NetInterface netInterface,
            TransportLoops loops,
            PortClaims claims,
            LocalAddresses addresses,
            WaitClock clock,
            int firstEphemeral) {
        this.netInterface = netInterface;
        this.addresses = addresses;
        this.loops = loops;
        this.claims = claims;
        this.clock = clock;
        this.nextEphemeral = new AtomicInteger(firstEphemeral);
    }

    /** Refuses an address that nobody can listen at. */
    static void requireUsable(InetSocketAddress remote) throws IOException {
        Objects.requireNonNull(remote, "remote is null; give the address and port of a listening transport");
        if (remote.isUnresolved()) {
            throw new UnknownHostException(
                    remote.getHostString() + " has no address; is the name right, and does DNS answer?");
        }
        PortClaims.requireValid(remote.getPort());
    }

    /** {@return a connection of the loop {@code home}, which the local port is chosen for} */
    Connection open(
            TransportLoop home,
            InetSocketAddress remote,
            ConnectionHandler handler,
            ProtocolId protocol,
            long deadlineNanos)
            throws IOException {
        requireAble(home.transport(), protocol);
        Path way = resolve(home, EPHEMERAL_PORT_MIN, remote, deadlineNanos);
        return openBy(way, home, handler, protocol, deadlineNanos);
    }

    /** {@return as {@link #open}, or null if the way has to be asked for} The loop's thread alone. */
    Connection tryOpen(TransportLoop home, InetSocketAddress remote, ConnectionHandler handler, ProtocolId protocol)
            throws IOException {
        requireAble(home.transport(), protocol);
        Path inProcess = home.ownHost().pathTo(EPHEMERAL_PORT_MIN, remote);
        Path way = inProcess != null ? inProcess : netInterface.knownPath(EPHEMERAL_PORT_MIN, remote);
        return way == null ? null : openBy(way, home, handler, protocol, clock.nanoTime() + WaitClock.NO_TIMEOUT_NANOS);
    }

    /**
     * {@return a port that is kept for a connection}
     *
     * @param local the address to connect from, the wildcard for what the way says; port 0 for one that nobody uses
     * @throws BindException if the port is in use, or the address is not the transport's
     */
    LocalPort bind(Transport transport, InetSocketAddress local) throws IOException {
        IpAddress address = addresses.require(local);
        transport.end().requireRunning();
        int port = local.getPort();
        if (port == 0) {
            port = claimEphemeralPort(any -> true);
        } else {
            awaitEndOfListener(port);
            claims.claimForConnection(port, true);
        }
        return new LocalPort(claims, new InetSocketAddress(local.getAddress(), port), address);
    }

    /** A listener that was closed just now may have left connections, which only the loops know. */
    private void awaitEndOfListener(int port) throws IOException {
        if (claims.isEnding(port)) {
            for (TransportLoop home : loops) {
                if (loops.mayWaitFor(home)) {
                    home.call(now -> true, WaitClock.NO_TIMEOUT_NANOS);
                }
            }
        }
    }

    /**
     * {@return a connection from a port that is kept for it, by the protocol that the transport prefers}
     *
     * @param asked the loop that the application means
     * @param isOnlyThere whether no other loop may have it, where port and addresses say so
     * @param handlers the handler, once it is known which loop has the connection
     */
    Connection openFromPort(
            TransportLoop asked,
            boolean isOnlyThere,
            InetSocketAddress remote,
            LocalPort from,
            Function<TransportLoop, ConnectionHandler> handlers,
            long deadlineNanos)
            throws IOException {
        Objects.requireNonNull(from, "from is null; bind a port first, or leave it to the transport");
        ProtocolId protocol = asked.transport().config().protocols().get(0).id();
        requireAble(asked.transport(), protocol);
        from.take();
        try {
            Path path = from(from, resolve(asked, from.number(), remote, deadlineNanos));
            TransportLoop home = path.isInProcess() ? asked : loops.get(FlowSteering.loopOf(path, loops.size()));
            if (!home.equals(asked)) {
                requireMayBeOf(home, asked, isOnlyThere, from.number());
            }
            return openFrom(home, path, handlers.apply(home), protocol, deadlineNanos);
        } catch (Throwable e) {
            claims.abandon(from.number());
            throw e;
        }
    }

    /** {@return the path from the address that a port was bound to} */
    private static Path from(LocalPort port, Path way) throws SocketException {
        IpAddress local = port.local();
        if (local == null || local.equals(way.local())) {
            return way;
        }
        boolean isLoopback = local.toInetAddress().isLoopbackAddress();
        if (local.isV6() != way.remote().isV6() || (isLoopback && !way.isInProcess())) {
            throw new SocketException("Invalid argument: " + local + ", which the socket is bound to, has no way to "
                    + way.remote() + "; bind it to another address, or to a port only");
        }
        return way.withLocal(local);
    }

    /** Refuses connections that cannot come to anything. */
    private void requireAble(Transport transport, ProtocolId protocol) throws IOException {
        transport.config().protocol(protocol);
        transport.end().requireInterface();
        if (loops.get(0).changes().isMtuTooSmall()) {
            throw Failures.ofUse(CloseReason.MTU_TOO_SMALL, null);
        }
    }

    private void requireMayBeOf(TransportLoop home, TransportLoop asked, boolean isOnlyThere, int localPort)
            throws BindException {
        String found = "localPort=" + localPort + " makes it a connection of "
                + home.loop().name();
        if (isOnlyThere) {
            throw new BindException(found + " and not of " + asked.loop().name()
                    + "; leave the port to the transport, or use one loop");
        }
        if (!loops.mayWaitFor(home)) {
            throw new IllegalStateException(found + ", which must not be waited for on the thread of "
                    + asked.loop().name() + "; call from another thread, or leave the port to the transport");
        }
    }

    /** By a way whose local port is still to be chosen. */
    private Connection openBy(
            Path way, TransportLoop home, ConnectionHandler handler, ProtocolId protocol, long deadlineNanos)
            throws IOException {
        IntPredicate isOfHome =
                port -> way.isInProcess() || FlowSteering.loopOf(way.withLocalPort(port), loops.size()) == home.index();
        int localPort = claimEphemeralPort(isOfHome);
        try {
            return openFrom(home, way.withLocalPort(localPort), handler, protocol, deadlineNanos);
        } catch (Throwable e) {
            claims.abandon(localPort);
            throw e;
        }
    }

    private Path resolve(TransportLoop home, int localPort, InetSocketAddress remote, long deadlineNanos)
            throws IOException {
        Path inProcess = home.ownHost().pathTo(localPort, remote);
        long leftNanos = Math.max(0, deadlineNanos - clock.nanoTime());
        return inProcess != null ? inProcess : netInterface.resolve(localPort, remote, leftNanos);
    }

    /** By a path whose local port was claimed for it. */
    private Connection openFrom(
            TransportLoop home, Path path, ConnectionHandler handler, ProtocolId protocol, long deadlineNanos)
            throws IOException {
        long leftNanos = Math.max(0, deadlineNanos - clock.nanoTime());
        Connection connection = home.call(now -> home.connect(path, protocol, handler), leftNanos);
        if (connection == null) {
            throw new SocketException("too many connections: "
                    + home.host().config().connectionsMax() + " are open"
                    + (loops.size() == 1 ? "" : " on this loop, one of " + loops.size())
                    + "; raise connectionsMax or close some");
        }
        return connection;
    }

    private int claimEphemeralPort(IntPredicate isSuitable) throws IOException {
        int claimed = claims.reuse(isSuitable);
        if (claimed > 0) {
            return claimed;
        }
        BindException last = null;
        for (int tries = 0; tries < EPHEMERAL_PORT_COUNT; tries++) {
            int port = EPHEMERAL_PORT_MIN + Math.floorMod(nextEphemeral.getAndIncrement(), EPHEMERAL_PORT_COUNT);
            if (!isSuitable.test(port)) {
                continue;
            }
            try {
                claims.claimForConnection(port, false);
                return port;
            } catch (BindException e) {
                last = e;
            }
        }
        throw last != null ? last : new BindException("no local port from " + EPHEMERAL_PORT_MIN + " on is free");
    }
}
