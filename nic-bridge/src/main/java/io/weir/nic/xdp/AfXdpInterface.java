package io.weir.nic.xdp;

import io.weir.nic.Errno;
import io.weir.nic.NicException;
import io.weir.nic.net.InterfaceFacts;
import io.weir.nic.net.Interfaces;
import io.weir.nic.net.KernelWatch;
import io.weir.nic.net.Neighbours;
import io.weir.nic.net.NetNamespace;
import io.weir.nic.net.NextHop;
import io.weir.nic.net.ReturnedFrames;
import io.weir.transport.frame.FramePool;
import io.weir.transport.runtime.InterfaceListener;
import io.weir.transport.runtime.NetInterface;
import io.weir.transport.runtime.Waiter;
import io.weir.transport.wire.IpAddress;
import io.weir.transport.wire.Path;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * An interface of this host, opened for a transport over AF_XDP. Each UDP port that the transport takes is also bound by
 * kernel sockets, one for each address that is ours, so that no other program of the host gets it there, and a port that
 * one has is refused. Ours are the addresses of the interface, followed as they change, and those that the configuration
 * adds.
 */
public final class AfXdpInterface implements NetInterface {
    /** What the kernel takes to give a neighbour up, and a little. */
    private static final long RESOLVE_NANOS = TimeUnit.MILLISECONDS.toNanos(3_500);
    /** How the kernel says that there is no way to a host. */
    private static final Set<Errno> NO_WAY =
            EnumSet.of(Errno.ETIMEDOUT, Errno.EHOSTUNREACH, Errno.ENETUNREACH, Errno.EACCES, Errno.EINVAL);

    private final AfXdpPort port;
    private final ClaimedPorts claims;
    private final KnownWays ways;
    private final InterfaceFollower follower;

    private final NetNamespace namespace;

    private AfXdpInterface(
            AfXdpPort port, ClaimedPorts claims, KnownWays ways, InterfaceFollower follower, NetNamespace namespace) {
        this.namespace = namespace;
        this.port = port;
        this.claims = claims;
        this.ways = ways;
        this.follower = follower;
    }

    /** Opens a host's interface with {@code pool} as its memory. */
    public static AfXdpInterface open(AfXdpConfig config, FramePool pool) throws NicException {
        NetNamespace namespace = NetNamespace.of(config.namespace());
        // Before anything is read, so that no change goes unheard.
        KernelWatch watch = KernelWatch.open(namespace);
        boolean isOpened = false;
        try {
            AfXdpInterface opened = open(config, pool, namespace, watch);
            isOpened = true;
            return opened;
        } finally {
            if (!isOpened) {
                watch.close();
            }
        }
    }

    private static AfXdpInterface open(AfXdpConfig config, FramePool pool, NetNamespace namespace, KernelWatch watch)
            throws NicException {
        InterfaceFacts facts = namespace.call(() -> Interfaces.find(config.interfaceName()));
        List<InetAddress> addresses = config.addressesOn(facts);
        if (addresses.isEmpty()) {
            throw new NicException("interface " + facts.name()
                    + " has no IP address; give it one: ip address add ... dev " + facts.name());
        }
        AfXdpPort port = new AfXdp(pool).open(config);
        ReturnedFrames returned;
        try {
            returned = ReturnedFrames.open();
        } catch (NicException e) {
            port.close();
            throw e;
        }
        ClaimedPorts claims = new ClaimedPorts(port, namespace, facts.index(), addresses, returned);
        Neighbours neighbours = new Neighbours(namespace, facts.name());
        KnownWays ways = new KnownWays(neighbours::resolve, System::nanoTime);
        InterfaceFollower follower = new InterfaceFollower(config, facts, port, watch, returned, claims, ways);
        port.setCloseListener(follower::close);
        return new AfXdpInterface(port, claims, ways, follower, namespace);
    }

    /** {@return the bytes of a slot that an interface of this MTU needs} */
    public static int slotBytes(int mtuBytes) {
        return Chunks.slotBytes(mtuBytes);
    }

    @Override
    public AfXdpPort port() {
        return port;
    }

    @Override
    public List<InetAddress> addresses() {
        return claims.addresses();
    }

    @Override
    public Path resolve(int localPort, InetSocketAddress remote) throws IOException {
        return resolve(localPort, remote, Long.MAX_VALUE);
    }

    @Override
    public Path resolve(int localPort, InetSocketAddress remote, long waitNanosMax) throws IOException {
        if (remote.isUnresolved()) {
            throw new UnknownHostException(remote.getHostString());
        }
        NextHop hop = nextHop(remote.getAddress(), waitNanosMax);
        return new Path(
                follower.macAddress(),
                hop.macAddress(),
                IpAddress.of(hop.source()),
                IpAddress.of(remote.getAddress()),
                localPort,
                remote.getPort());
    }

    private NextHop nextHop(InetAddress remote, long waitNanosMax) throws IOException {
        try {
            return ways.find(remote, Math.min(waitNanosMax, RESOLVE_NANOS));
        } catch (NicException e) {
            if (e.is(Errno.ETIMEDOUT) && waitNanosMax < RESOLVE_NANOS) {
                throw because(new SocketTimeoutException("connect timed out: " + e.getMessage()), e);
            }
            // Without a number: a destination that no frame can be sent to.
            if (e.errno() == 0 || NO_WAY.stream().anyMatch(e::is)) {
                throw because(new NoRouteToHostException(e.getMessage()), e);
            }
            throw e;
        }
    }

    private static IOException because(IOException failure, NicException cause) {
        failure.initCause(cause);
        return failure;
    }

    @Override
    public void claimPort(int udpPort) throws IOException {
        claims.claim(udpPort);
    }

    @Override
    public void releasePort(int udpPort) {
        claims.release(udpPort);
    }

    @Override
    public void follow(InterfaceListener listener) throws NicException {
        follower.start(listener);
    }

    @Override
    public void findMacs(Collection<InetAddress> remotes) {
        follower.findMacs(remotes);
    }

    @Override
    public void verify(InetAddress remote) {
        follower.verify(remote);
    }

    @Override
    public Object host() {
        // Text: an interface of another kind is never equal.
        return "network namespace " + namespace;
    }

    @Override
    public Waiter newWaiter() throws NicException {
        int descriptor = port.pollFileDescriptor();
        PollWaiter waiter = new PollWaiter(descriptor);
        // The descriptor of a deleted interface polls ready permanently.
        port.setStopListener(() -> waiter.forget(descriptor));
        return waiter;
    }
}
