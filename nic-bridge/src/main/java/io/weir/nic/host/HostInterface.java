package io.weir.nic.host;

import io.weir.nic.NicException;
import io.weir.nic.net.InterfaceFacts;
import io.weir.nic.net.Interfaces;
import io.weir.nic.net.KernelWatch;
import io.weir.nic.net.LocalAddress;
import io.weir.nic.net.Neighbours;
import io.weir.nic.net.NetNamespace;
import io.weir.nic.net.NextHop;
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
import java.util.stream.Stream;

/**
 * An interface of this host that the kernel has too, opened for a transport. Each UDP port that the transport takes is also
 * bound by kernel sockets, one for each address that is ours, so that no other program of the host gets it there, and a port
 * that one has is refused. Ours are the addresses of the interface, followed as they change, and those that were added.
 */
public final class HostInterface implements NetInterface {
    private static final long RESOLVE_NANOS = TimeUnit.SECONDS.toNanos(3);

    private final KernelPort port;
    private final ClaimedPorts claims;
    private final KnownWays ways;
    private final InterfaceFollower follower;

    /**
     * What is to be opened.
     *
     * @param namespace where the interface is
     * @param facts what the kernel tells about it
     * @param furtherAddresses addresses that are ours next to its own
     * @param isEveryQueueTaken whether queues that are added later are missed
     */
    public record Plan(
            NetNamespace namespace,
            InterfaceFacts facts,
            List<InetAddress> furtherAddresses,
            boolean isEveryQueueTaken) {
        /** Copies the list. */
        public Plan {
            furtherAddresses = List.copyOf(furtherAddresses);
        }

        /** {@return the interface's own addresses and the further ones} */
        public List<InetAddress> addresses() {
            return Stream.concat(facts.addresses().stream().map(LocalAddress::address), furtherAddresses.stream())
                    .distinct()
                    .toList();
        }
    }

    /** How the port of an interface is opened. */
    @FunctionalInterface
    public interface Opener {
        /** {@return the port, which takes datagrams for the plan's addresses} */
        KernelPort open(Plan plan) throws NicException;
    }

    private HostInterface(Plan plan, KernelPort port, KernelWatch watch) {
        this.port = port;
        this.claims = new ClaimedPorts(port, plan.namespace(), plan.facts().index(), plan.addresses());
        Neighbours neighbours = new Neighbours(plan.namespace(), plan.facts().name());
        this.ways = new KnownWays(remote -> neighbours.resolve(remote, RESOLVE_NANOS), System::nanoTime);
        this.follower = new InterfaceFollower(plan, port, watch, claims, ways);
        port.setCloseListener(follower::close);
    }

    /** Opens an interface by name, with a port that {@code opener} opens. */
    public static HostInterface open(
            NetNamespace namespace,
            String interfaceName,
            List<InetAddress> furtherAddresses,
            boolean isEveryQueueTaken,
            Opener opener)
            throws NicException {
        // Before anything is read, so that no change goes unheard.
        KernelWatch watch = KernelWatch.open(namespace);
        boolean isOpened = false;
        try {
            InterfaceFacts facts = namespace.call(() -> Interfaces.find(interfaceName));
            Plan plan = new Plan(namespace, facts, furtherAddresses, isEveryQueueTaken);
            if (plan.addresses().isEmpty()) {
                throw new NicException("interface " + facts.name()
                        + " has no IP address; give it one: ip address add ... dev " + facts.name());
            }
            HostInterface opened = new HostInterface(plan, opener.open(plan), watch);
            isOpened = true;
            return opened;
        } finally {
            if (!isOpened) {
                watch.close();
            }
        }
    }

    @Override
    public KernelPort port() {
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
