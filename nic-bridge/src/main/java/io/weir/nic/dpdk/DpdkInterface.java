package io.weir.nic.dpdk;

import io.weir.nic.NicException;
import io.weir.nic.ffi.DpdkBinding;
import io.weir.nic.host.PollWaiter;
import io.weir.nic.host.SliceWaiter;
import io.weir.nic.net.NetNamespace;
import io.weir.transport.node.NetPort;
import io.weir.transport.runtime.Backend;
import io.weir.transport.runtime.InterfaceListener;
import io.weir.transport.runtime.NetInterface;
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
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A DPDK device opened for a transport: it has the addresses of its configuration, and finds neighbours by itself. */
final class DpdkInterface implements NetInterface {
    private static final long RESOLVE_NANOS = TimeUnit.SECONDS.toNanos(3);
    private static final long ASK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long LOOK_NANOS = TimeUnit.MICROSECONDS.toNanos(200);
    /** What a frame may wait for while the loop sleeps. */
    private static final long SLICE_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

    private final DpdkConfig config;
    private final DpdkPort port;
    private final NeighbourTable table;
    private final Set<Integer> claimedPorts = ConcurrentHashMap.newKeySet();
    /** Tells the transport of changes, since the port's thread must not. */
    private final ExecutorService teller = Executors.newSingleThreadExecutor(DpdkInterface::newThread);
    /** Null until {@link #newWaiter}. */
    private volatile Waiter waiter;
    /** Null until {@link #follow}. */
    private volatile InterfaceListener listener;

    private DpdkInterface(DpdkConfig config, DpdkPort port, NeighbourTable table) {
        this.config = config;
        this.port = port;
        this.table = table;
        port.setCloseListener(teller::shutdown);
    }

    private static Thread newThread(Runnable work) {
        Thread thread = new Thread(work, "weir-dpdk-changes");
        thread.setDaemon(true);
        return thread;
    }

    /** Opens the device with a pool of its own. */
    static Backend.Opened open(NetNamespace namespace, DpdkConfig config, int frameCount) throws NicException {
        if (config.addresses().isEmpty()) {
            throw new NicException("device " + config.deviceName() + " has no address, and the kernel cannot tell one;"
                    + " add address=, such as 10.0.0.1/24");
        }
        NeighbourTable table = new NeighbourTable(config.neighbours());
        DpdkPort port = namespace.call(() -> openPort(config, frameCount, table));
        return new Backend.Opened(new DpdkInterface(config, port, table), port.pool());
    }

    /** Opens the device's port; for a switch without a table. */
    static DpdkPort openPort(DpdkConfig config, int frameCount, NeighbourTable table) throws NicException {
        DpdkBinding dpdk = Dpdk.start(config);
        DpdkResidue.cleanSocket(config);
        DpdkResidue residue = DpdkResidue.note(config);
        DpdkDevice device = null;
        DpdkPool memory = null;
        DpdkPort port = null;
        try {
            device = DpdkDevice.attach(dpdk, config);
            memory = DpdkPool.create(dpdk, frameCount, config.mtuBytes());
            port = DpdkPort.open(dpdk, device, memory, config, table, residue);
            return port;
        } finally {
            if (port == null) {
                if (device != null) {
                    dpdk.weir_device_detach(device.port());
                }
                if (memory != null) {
                    memory.release();
                }
                if (residue != null) {
                    residue.close();
                }
            }
        }
    }

    @Override
    public NetPort port() {
        return port;
    }

    @Override
    public List<InetAddress> addresses() {
        return config.addresses().stream().map(DpdkConfig.Network::address).toList();
    }

    @Override
    public Path resolve(int localPort, InetSocketAddress remote) throws IOException {
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

    @Override
    public Path knownPath(int localPort, InetSocketAddress remote) {
        InetAddress ours = config.sourceFor(remote.getAddress());
        InetAddress hop = config.nextHop(remote.getAddress());
        Long mac = ours == null || hop == null ? null : table.find(hop);
        return mac == null ? null : path(ours, mac, localPort, remote);
    }

    private Path path(InetAddress ours, long mac, int localPort, InetSocketAddress remote) {
        return new Path(
                port.info().macAddress(),
                mac,
                IpAddress.of(ours),
                IpAddress.of(remote.getAddress()),
                localPort,
                remote.getPort());
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
        String impairment = port.failure();
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
        Waiter sleeping = waiter;
        if (sleeping != null) {
            sleeping.wake();
        }
    }

    @Override
    public void claimPort(int udpPort) throws IOException {
        if (!claimedPorts.add(udpPort)) {
            throw new BindException("UDP port " + udpPort + " is in use by this transport");
        }
    }

    @Override
    public void releasePort(int udpPort) {
        claimedPorts.remove(udpPort);
    }

    @Override
    public void follow(InterfaceListener changes) {
        listener = changes;
        table.setChangeListener(() -> tell(changes::onWaysChanged));
        port.setLinkListener(() -> tell(changes::onPortChanged));
    }

    private void tell(Runnable news) {
        try {
            teller.execute(news);
        } catch (RejectedExecutionException e) {
            // The port was closed meanwhile, and nobody wants to know any more.
            return;
        }
    }

    @Override
    public void findMacs(Collection<InetAddress> remotes) {
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
            told.onMacs(port.info().macAddress(), macs);
        });
    }

    @Override
    public void verify(InetAddress remote) {
        InetAddress hop = config.nextHop(remote);
        if (hop != null) {
            ask(hop);
        }
    }

    @Override
    public Waiter newWaiter() throws NicException {
        Waiter created = new SliceWaiter(new PollWaiter(), SLICE_NANOS);
        waiter = created;
        return created;
    }
}
