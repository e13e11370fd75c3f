package io.weir.nic.xdp;

import io.weir.nic.NicException;
import io.weir.nic.net.InterfaceFacts;
import io.weir.nic.net.Interfaces;
import io.weir.nic.net.KernelWatch;
import io.weir.nic.net.Neighbours;
import io.weir.nic.net.NetNamespace;
import io.weir.nic.net.NextHop;
import io.weir.transport.frame.FramePool;
import io.weir.transport.runtime.InterfaceListener;
import io.weir.transport.runtime.NetInterface;
import io.weir.transport.runtime.Waiter;
import io.weir.transport.wire.IpAddress;
import io.weir.transport.wire.Path;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * An interface of this host, opened for a transport over AF_XDP. Each UDP port that the transport takes is also bound by
 * kernel sockets, one for each address that is ours, so that no other program of the host gets it there, and a port that
 * one has is refused. Ours are the addresses of the interface, followed as they change, and those that the configuration
 * adds.
 */
public final class AfXdpInterface implements NetInterface {
    private static final long RESOLVE_NANOS = TimeUnit.SECONDS.toNanos(3);

    private final AfXdpPort port;
    private final ClaimedPorts claims;
    private final KnownWays ways;
    private final InterfaceFollower follower;

    private AfXdpInterface(AfXdpPort port, ClaimedPorts claims, KnownWays ways, InterfaceFollower follower) {
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
        ClaimedPorts claims = new ClaimedPorts(port, namespace, facts.index(), addresses);
        Neighbours neighbours = new Neighbours(namespace, facts.name());
        KnownWays ways = new KnownWays(remote -> neighbours.resolve(remote, RESOLVE_NANOS), System::nanoTime);
        InterfaceFollower follower = new InterfaceFollower(config, facts, port, watch, claims, ways);
        port.setCloseListener(follower::close);
        return new AfXdpInterface(port, claims, ways, follower);
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
        if (remote.isUnresolved()) {
            throw new UnknownHostException(remote.getHostString());
        }
        NextHop hop = ways.find(remote.getAddress());
        return new Path(
                follower.macAddress(),
                hop.macAddress(),
                IpAddress.of(hop.source()),
                IpAddress.of(remote.getAddress()),
                localPort,
                remote.getPort());
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
    public Waiter newWaiter() throws NicException {
        int descriptor = port.pollFileDescriptor();
        PollWaiter waiter = new PollWaiter(descriptor);
        // The descriptor of a deleted interface polls ready permanently.
        port.setStopListener(() -> waiter.forget(descriptor));
        return waiter;
    }
}
