package io.weir.nic.net;

import io.weir.nic.Errno;
import io.weir.nic.NicException;
import io.weir.nic.ffi.Libc;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Finds the way to destinations from one interface with the kernel's own tables: its route, and its neighbour entry,
 * which the kernel is made to resolve (ARP, neighbour discovery) when it has none.
 *
 * <p>Blocks up to the time given; for application threads at connect time.
 */
public final class Neighbours {
    private static final int BODY_BYTES = 12;
    private static final int STATE_OFFSET = 8;
    private static final int FLAGS_OFFSET = 10;
    /** {@code NTF_USE}: the entry is wanted now. */
    private static final int FLAG_USE = 1;

    private static final int ATTRIBUTE_DESTINATION = 1;
    private static final int ATTRIBUTE_MAC = 2;
    private static final int STATE_PROBE = 0x10;
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long PROVOKE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final NetNamespace namespace;
    private final String interfaceName;
    private final int interfaceIndex;

    /** Prepares to look from an interface of {@code namespace}, which may get another name later. */
    public Neighbours(NetNamespace namespace, String interfaceName, int interfaceIndex) {
        this.namespace = namespace;
        this.interfaceName = interfaceName;
        this.interfaceIndex = interfaceIndex;
    }

    /** {@return the way to {@code destination}; gives up after {@code timeoutNanos}} */
    public NextHop resolve(InetAddress destination, long timeoutNanos) throws NicException {
        return namespace.call(() -> resolveHere(destination, timeoutNanos));
    }

    private NextHop resolveHere(InetAddress destination, long timeoutNanos) throws NicException {
        Route route = Route.to(destination, interfaceIndex);
        if (route.interfaceIndex() != interfaceIndex) {
            throw new NicException("the route to " + destination.getHostAddress() + " leaves by "
                    + Interfaces.nameOf(route.interfaceIndex()) + ", not by " + interfaceName
                    + "; open the port there, or change the route: ip route get " + destination.getHostAddress());
        }
        try (NetlinkSocket socket = new NetlinkSocket()) {
            long mac = awaitMac(socket, route, destination, timeoutNanos);
            return new NextHop(route.source(), route.nextHop(), mac);
        }
    }

    private long awaitMac(NetlinkSocket socket, Route route, InetAddress destination, long timeoutNanos)
            throws NicException {
        long startNanos = System.nanoTime();
        long provokedNanos = 0;
        NeighbourState state = NeighbourState.NONE;
        boolean isGivenUp = false;
        for (boolean provoked = false; !provoked || (!isGivenUp && System.nanoTime() - startNanos < timeoutNanos); ) {
            NetlinkMessage entry = entry(socket, route);
            state = entry == null ? NeighbourState.NONE : new NeighbourState(entry.bodyShort(STATE_OFFSET));
            long mac = entry == null ? 0 : MacAddress.of(entry.attribute(ATTRIBUTE_MAC));
            boolean usable = mac != 0 && state.isUsable();
            // A failed entry of before was taken up when the kernel was provoked: this is a failure since.
            isGivenUp = provoked && state.isFailed();
            // A stale entry is good enough to send, as it is for the kernel, which then verifies it.
            if (!state.isSettled() && !isGivenUp && (!provoked || System.nanoTime() - provokedNanos > PROVOKE_NANOS)) {
                provoke(destination, route.interfaceIndex());
                provoked = true;
                provokedNanos = System.nanoTime();
            }
            if (usable) {
                return mac;
            }
            if (!isGivenUp) {
                LockSupport.parkNanos(POLL_NANOS);
            }
        }
        String hop = route.nextHop().getHostAddress();
        Errno error = isGivenUp ? Errno.EHOSTUNREACH : Errno.ETIMEDOUT;
        String limit = isGivenUp
                ? ", and the kernel gave up"
                : " within " + TimeUnit.NANOSECONDS.toMillis(timeoutNanos) + " ms";
        throw new NicException(
                error,
                destination.getHostAddress() + " is unreachable from " + interfaceName + ": " + hop
                        + " does not answer "
                        + (route.nextHop() instanceof Inet6Address ? "neighbour discovery" : "ARP")
                        + limit
                        + "; is it up, and in the same network? Try: ping " + hop);
    }

    /**
     * {@return the next hop to {@code destination} from the interface with this number, or null when there is no way or
     * it leaves by another} In the calling thread's network namespace.
     */
    public static InetAddress nextHop(InetAddress destination, int interfaceIndex) {
        try {
            Route route = Route.to(destination, interfaceIndex);
            return route.interfaceIndex() == interfaceIndex ? route.nextHop() : null;
        } catch (NicException e) {
            return null;
        }
    }

    /** {@return what the kernel knows of the neighbours on this interface of the calling thread's namespace} */
    public static List<KernelEvent.Neighbour> known(int interfaceIndex) throws NicException {
        NetlinkRequest request = new NetlinkRequest(NetlinkRequest.GET_NEIGHBOUR, NetlinkRequest.FLAG_DUMP, BODY_BYTES);
        List<KernelEvent.Neighbour> known = new ArrayList<>();
        try (NetlinkSocket socket = new NetlinkSocket()) {
            for (NetlinkMessage entry : socket.ask(request, BODY_BYTES, "list the neighbours")) {
                byte[] address = entry.attribute(ATTRIBUTE_DESTINATION);
                int family = entry.bodyByte(0);
                boolean isInternet = family == Libc.AF_INET || family == Libc.AF_INET6;
                if (entry.bodyInt(4) == interfaceIndex && isInternet && address != null) {
                    known.add(new KernelEvent.Neighbour(
                            false,
                            interfaceIndex,
                            Interfaces.inetAddress(address),
                            MacAddress.of(entry.attribute(ATTRIBUTE_MAC)),
                            new NeighbourState(entry.bodyShort(STATE_OFFSET))));
                }
            }
        }
        return known;
    }

    /**
     * Has the kernel ask a neighbour at its known address whether it is still there. In the calling thread's network
     * namespace.
     */
    public static void probe(InetAddress neighbour, long macAddress, int interfaceIndex) throws NicException {
        NetlinkRequest request = new NetlinkRequest(
                        NetlinkRequest.NEW_NEIGHBOUR,
                        NetlinkRequest.FLAG_REPLACE | NetlinkRequest.FLAG_ACKNOWLEDGE,
                        BODY_BYTES)
                .bodyByte(0, SocketAddresses.family(neighbour))
                .bodyInt(4, interfaceIndex)
                .bodyInt(STATE_OFFSET, STATE_PROBE)
                .attribute(ATTRIBUTE_DESTINATION, neighbour.getAddress())
                .attribute(ATTRIBUTE_MAC, MacAddress.bytes(macAddress));
        send(request, "verify neighbour " + neighbour.getHostAddress());
    }

    /**
     * Has the kernel find out by asking everybody where the next hop to {@code destination} is, whatever it knows. In
     * the calling thread's network namespace.
     */
    public static void findAgain(InetAddress destination, InetAddress neighbour, int interfaceIndex)
            throws NicException {
        NetlinkRequest request = new NetlinkRequest(
                        NetlinkRequest.DELETE_NEIGHBOUR, NetlinkRequest.FLAG_ACKNOWLEDGE, BODY_BYTES)
                .bodyByte(0, SocketAddresses.family(neighbour))
                .bodyInt(4, interfaceIndex)
                .attribute(ATTRIBUTE_DESTINATION, neighbour.getAddress());
        send(request, "forget neighbour " + neighbour.getHostAddress());
        provoke(destination, interfaceIndex);
    }

    private static void send(NetlinkRequest request, String attempt) throws NicException {
        try (NetlinkSocket socket = new NetlinkSocket()) {
            socket.ask(request, BODY_BYTES, attempt);
        } catch (NicException e) {
            if (!e.is(Errno.ENOENT)) {
                throw e;
            }
        }
    }

    private static NetlinkMessage entry(NetlinkSocket socket, Route route) throws NicException {
        InetAddress nextHop = route.nextHop();
        NetlinkRequest request = new NetlinkRequest(NetlinkRequest.GET_NEIGHBOUR, 0, BODY_BYTES)
                .bodyByte(0, SocketAddresses.family(nextHop))
                .bodyInt(4, route.interfaceIndex())
                .attribute(ATTRIBUTE_DESTINATION, nextHop.getAddress());
        try {
            return socket.ask(request, BODY_BYTES, "look up neighbour " + nextHop.getHostAddress())
                    .get(0);
        } catch (NicException e) {
            if (e.is(Errno.ENOENT)) {
                return null;
            }
            throw e;
        }
    }

    /** Has the kernel resolve the next hop as if it had something to send there, which it has not. */
    private static void provoke(InetAddress destination, int interfaceIndex) throws NicException {
        InetAddress neighbour = nextHop(destination, interfaceIndex);
        if (neighbour == null) {
            // The way is gone, which shows as a neighbour that never resolves.
            return;
        }
        NetlinkRequest request = new NetlinkRequest(
                        NetlinkRequest.NEW_NEIGHBOUR,
                        NetlinkRequest.FLAG_CREATE | NetlinkRequest.FLAG_ACKNOWLEDGE,
                        BODY_BYTES)
                .bodyByte(0, SocketAddresses.family(neighbour))
                .bodyInt(4, interfaceIndex)
                .bodyByte(FLAGS_OFFSET, FLAG_USE)
                .attribute(ATTRIBUTE_DESTINATION, neighbour.getAddress());
        send(request, "resolve neighbour " + neighbour.getHostAddress());
    }
}
