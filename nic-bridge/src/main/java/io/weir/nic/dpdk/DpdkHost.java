package io.weir.nic.dpdk;

import io.weir.nic.NicException;
import io.weir.transport.runtime.InterfaceListener;
import io.weir.transport.runtime.Waiter;
import io.weir.transport.wire.IpAddress;
import io.weir.transport.wire.Path;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a host is told about the network of a DPDK device: the addresses are those of its configuration, and neighbours
 * are found by itself. The device's ports share it; any thread.
 */
final class DpdkHost {
    private static final Logger LOG = LoggerFactory.getLogger(DpdkHost.class);
    private static final long RESOLVE_NANOS = TimeUnit.SECONDS.toNanos(3);
    private static final long ASK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long LOOK_NANOS = TimeUnit.MICROSECONDS.toNanos(200);

    private final DpdkConfig config;
    private final DpdkLink link;
    private final long macAddress;
    private final NeighbourTable table;
    private final Set<Integer> claimedPorts = ConcurrentHashMap.newKeySet();
    /** Tells the transport of changes, since the port's thread must not. */
    private final ExecutorService teller = Executors.newSingleThreadExecutor(DpdkHost::newThread);
    /** What the loops sleep with. */
    private final List<Waiter> waiters = new CopyOnWriteArrayList<>();
    /** Null until {@link #follow}. */
    private volatile InterfaceListener listener;

    /** Serves the ports of a device. */
    DpdkHost(DpdkConfig config, List<DpdkPort> ports, NeighbourTable table) {
        this.config = config;
        this.link = ports.get(0).link();
        this.macAddress = ports.get(0).info().macAddress();
        this.table = table;
        link.setCloseListener(teller::shutdown);
    }

    private static Thread newThread(Runnable work) {
        Thread thread = new Thread(work, "weir-dpdk-changes");
        thread.setDaemon(true);
        return thread;
    }

    List<InetAddress> addresses() {
        return config.addresses().stream().map(DpdkConfig.Network::address).toList();
    }

    Path resolve(int localPort, InetSocketAddress remote) throws IOException {
        if (remote.isUnresolved()) {
            throw new UnknownHostException(remote.getHostString());
        }
        InetAddress target = remote.getAddress();
        InetAddress ours = config.sourceFor(target);
        InetAddress hop = config.nextHop(target);
        if (ours == null || hop == null) {
            throw new NicException(target.getHostAddress() + " is in no network of " + config.deviceName() + " ("
                    + config.addresses() + "), and no gateway of its family is known; add gateway= to its file");
        }
        return path(ours, await(hop, target), localPort, remote);
    }

    Path knownPath(int localPort, InetSocketAddress remote) {
        InetAddress ours = config.sourceFor(remote.getAddress());
        InetAddress hop = config.nextHop(remote.getAddress());
        Long mac = ours == null || hop == null ? null : table.find(hop);
        return mac == null ? null : path(ours, mac, localPort, remote);
    }

    private Path path(InetAddress ours, long mac, int localPort, InetSocketAddress remote) {
        return Path.from(macAddress, IpAddress.of(ours), localPort)
                .to(mac, IpAddress.of(remote.getAddress()), remote.getPort());
    }

    private long await(InetAddress hop, InetAddress target) throws NicException {
        long startNanos = System.nanoTime();
        long askedNanos = startNanos - ASK_NANOS;
        for (long nowNanos = startNanos; nowNanos - startNanos < RESOLVE_NANOS; nowNanos = System.nanoTime()) {
            Long mac = table.find(hop);
            if (mac != null) {
                return mac;
            }
            if (nowNanos - askedNanos >= ASK_NANOS) {
                askedNanos = nowNanos;
                ask(hop);
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
        String impairment = link.impairment();
        throw new NicException(target.getHostAddress() + " is unreachable from " + config.deviceName() + ": "
                + (impairment != null
                        ? impairment
                        : hop.getHostAddress() + " does not answer "
                                + (hop.getAddress().length == 4 ? "ARP" : "neighbour discovery") + " within "
                                + TimeUnit.NANOSECONDS.toMillis(RESOLVE_NANOS)
                                + " ms; is it up, and in the same network?"));
    }

    private void ask(InetAddress hop) {
        table.ask(hop);
        // Any of the ports asks; the first loop that looks takes the question.
        waiters.forEach(Waiter::wake);
    }

    void claimPort(int udpPort) throws IOException {
        if (!claimedPorts.add(udpPort)) {
            throw new BindException("UDP port " + udpPort + " is in use by this transport");
        }
    }

    void releasePort(int udpPort) {
        claimedPorts.remove(udpPort);
    }

    void follow(InterfaceListener changes) {
        listener = changes;
        table.setChangeListener(() -> tell(changes::onWaysChanged));
        link.setLinkListener(() -> tell(changes::onPortChanged));
    }

    private void tell(Runnable news) {
        try {
            teller.execute(() -> tellNow(news));
        } catch (RejectedExecutionException e) {
            // The port was closed meanwhile, and nobody wants to know any more.
            return;
        }
    }

    private void tellNow(Runnable news) {
        try {
            news.run();
        } catch (RejectedExecutionException e) {
            LOG.debug("interface={} has a loop that is closed already", config.deviceName(), e);
        }
    }

    void findMacs(Collection<InetAddress> remotes) {
        InterfaceListener told = listener;
        if (told == null) {
            return;
        }
        List<InetAddress> wanted = List.copyOf(remotes);
        tell(() -> {
            Map<InetAddress, Long> macs = new HashMap<>();
            for (InetAddress remote : wanted) {
                InetAddress hop = config.nextHop(remote);
                Long mac = hop == null ? null : table.find(hop);
                if (mac != null) {
                    macs.put(remote, mac);
                }
            }
            told.onMacs(macAddress, macs);
        });
    }

    void verify(InetAddress remote) {
        InetAddress hop = config.nextHop(remote);
        if (hop != null) {
            ask(hop);
        }
    }

    /** Has the loop that sleeps with {@code waiter} woken when there is somebody to ask for. */
    void addWaiter(Waiter waiter) {
        waiters.add(waiter);
    }
}
