package io.weir.nic.host;

import io.weir.nic.Errno;
import io.weir.nic.NicException;
import io.weir.nic.net.InterfaceFacts;
import io.weir.nic.net.Interfaces;
import io.weir.nic.net.KernelWatch;
import io.weir.nic.net.LocalAddress;
import io.weir.nic.net.Neighbours;
import io.weir.nic.net.NetNamespace;
import io.weir.nic.net.NextHop;
import io.weir.nic.net.ReturnedFrames;
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
import java.util.stream.Stream;

/**
 * An interface of this host that the kernel has too, opened for a transport. Each UDP port that the transport takes is
 * also bound by kernel sockets, one for each address that is ours, so that no other program of the host gets it there,
 * and a port that one has is refused. Ours are the addresses of the interface, followed as they change, and those that
 * were added.
 */
public final class HostInterface implements NetInterface {
    /** What the kernel takes to give a neighbour up, and a little. */
    private static final long RESOLVE_NANOS = TimeUnit.MILLISECONDS.toNanos(3_500);
    /** How the kernel says that there is no way to a host. */
    private static final Set<Errno> NO_WAY =
            EnumSet.of(Errno.ETIMEDOUT, Errno.EHOSTUNREACH, Errno.ENETUNREACH, Errno.EACCES, Errno.EINVAL);

    private final NetNamespace namespace;
    private final HostPorts ports;
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

    /** How the ports of an interface are opened. */
    @FunctionalInterface
    public interface Opener {
        /** {@return the ports, one for each loop, which take the same datagrams: those for the plan's addresses} */
        List<? extends KernelPort> open(Plan plan) throws NicException;
    }

    private HostInterface(Plan plan, HostPorts ports, KernelWatch watch, ReturnedFrames returned) {
        this.namespace = plan.namespace();
        this.ports = ports;
        this.claims = new ClaimedPorts(ports, plan.namespace(), plan.facts().index(), plan.addresses(), returned);
        Neighbours neighbours = new Neighbours(
                plan.namespace(), plan.facts().name(), plan.facts().index());
        this.ways = new KnownWays(neighbours::resolve, System::nanoTime);
        this.follower = new InterfaceFollower(plan, ports, watch, returned, claims, ways);
        ports.setCloseListener(follower::close);
    }

    /** Opens an interface by name, with ports that {@code opener} opens. */
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
            InterfaceFacts facts = namespace.call(() -> Interfaces.findEthernet(interfaceName));
            Plan plan = new Plan(namespace, facts, furtherAddresses, isEveryQueueTaken);
            if (plan.addresses().isEmpty()) {
                throw new NicException(
                        Errno.EADDRNOTAVAIL,
                        "interface " + facts.name() + " has no IP address; give it one: ip address add ... dev "
                                + facts.name());
            }
            HostPorts ports = new HostPorts(opener.open(plan));
            HostInterface opened = new HostInterface(plan, ports, watch, returnedFrames(ports));
            isOpened = true;
            return opened;
        } finally {
            if (!isOpened) {
                watch.close();
            }
        }
    }

    private static ReturnedFrames returnedFrames(HostPorts ports) throws NicException {
        try {
            return ReturnedFrames.open();
        } catch (NicException e) {
            ports.close();
            throw e;
        }
    }

    @Override
    public KernelPort port() {
        return ports.first();
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
        return path(nextHop(remote.getAddress(), waitNanosMax), localPort, remote);
    }

    @Override
    public Path knownPath(int localPort, InetSocketAddress remote) {
        NextHop hop = ways.known(remote.getAddress());
        return hop == null ? null : path(hop, localPort, remote);
    }

    private Path path(NextHop hop, int localPort, InetSocketAddress remote) {
        return Path.from(follower.macAddress(), IpAddress.of(hop.source()), localPort)
                .to(hop.macAddress(), IpAddress.of(remote.getAddress()), remote.getPort());
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
        return newWaiter(port());
    }

    /** {@return what the loop of one of the ports sleeps with} */
    public Waiter newWaiter(KernelPort port) throws NicException {
        int descriptor = port.pollFileDescriptor();
        PollWaiter waiter = new PollWaiter(descriptor);
        // The descriptor of a deleted interface polls ready permanently.
        port.setStopListener(() -> waiter.forget(descriptor));
        return waiter;
    }
}
