package io.weir.transport.socket;

import io.weir.transport.frame.FramePool;
import io.weir.transport.node.NetPort;
import io.weir.transport.node.PortEnd;
import io.weir.transport.node.PortInfo;
import io.weir.transport.runtime.Backend;
import io.weir.transport.runtime.EventLoop;
import io.weir.transport.runtime.InterfaceListener;
import io.weir.transport.runtime.NetInterface;
import io.weir.transport.runtime.PortConfig;
import io.weir.transport.runtime.ReplaceablePort;
import io.weir.transport.runtime.ReplaceableWaiter;
import io.weir.transport.runtime.Waiter;
import io.weir.transport.wire.Path;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An interface that is opened again by its name when it was gone and has returned, with the same pools, the same
 * claimed ports and the same loops. A thread that lives only while it is away looks for it. A loop's thread opens it
 * while the other loops wait, because each pool is its loop's ({@link LoopGathering}).
 */
final class ReopeningInterface implements NetInterface {
    private static final Logger LOG = LoggerFactory.getLogger(ReopeningInterface.class);
    /** How often it is looked for. One look costs a few system calls; who waits for a service waits for seconds. */
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final Backend backend;
    private final String interfaceName;
    private final PortConfig config;
    private final List<InetAddress> furtherAddresses;
    /** What each loop has of it, the first loop's first. */
    private final List<Part> parts = new ArrayList<>();

    private final Object host;
    /** Is told that the interface has returned, on a loop's thread. Set before {@link #follow}. */
    private Runnable onReturned;
    /** The loops that own the ports, in the order of the parts. Set before {@link #follow}. */
    private List<EventLoop> loops;
    /** The interface as it is, or was last. Replaced while all loops are gathered. */
    private volatile NetInterface current;
    /** The interface whose events count; another one's come too late. Replaced while all loops are gathered. */
    private volatile NetInterface followed;
    /** Whether the interface is gone, so that nothing can be claimed of it. */
    private volatile boolean isAway;
    /** Ports that are claimed, and are to be so of the next one. With the lock. */
    private final Set<Integer> claimedPorts = new TreeSet<>();
    /** What the thread that looks for the interface said last. That thread's. */
    private String latestProblem = "";

    /** What a loop has of the interface, in whose place another opening's can be put. */
    private record Part(FramePool pool, ReplaceablePort port, ReplaceableWaiter waiter) {}

    /** What another opening gives a loop. */
    private record Opened(NetPort port, Waiter waiter) {}

    private ReopeningInterface(
            Backend backend,
            String interfaceName,
            PortConfig config,
            List<InetAddress> furtherAddresses,
            List<Backend.Opened> queues)
            throws IOException {
        this.backend = backend;
        this.interfaceName = interfaceName;
        this.config = config;
        this.furtherAddresses = furtherAddresses;
        this.current = queues.get(0).netInterface();
        this.host = current.host();
        for (Backend.Opened queue : queues) {
            NetInterface netInterface = queue.netInterface();
            parts.add(new Part(
                    queue.pool(),
                    new ReplaceablePort(netInterface.port()),
                    new ReplaceableWaiter(netInterface.newWaiter())));
        }
    }

    /**
     * {@return an interface that {@code backend} opens now and again, for so many loops} What concerns the interface as
     * a whole is asked of the first.
     */
    static List<Backend.Opened> open(
            Backend backend, String interfaceName, int loopCount, PortConfig config, List<InetAddress> furtherAddresses)
            throws IOException {
        List<Backend.Opened> queues = loopCount == 1
                ? List.of(backend.open(interfaceName, config, furtherAddresses))
                : backend.openQueues(interfaceName, loopCount, config, furtherAddresses);
        ReopeningInterface first = null;
        try {
            first = new ReopeningInterface(backend, interfaceName, config, furtherAddresses, queues);
        } finally {
            if (first == null) {
                queues.forEach(queue -> queue.netInterface().port().close());
            }
        }
        List<Backend.Opened> reopening = new ArrayList<>();
        for (Part part : first.parts) {
            NetInterface own = reopening.isEmpty() ? first : first.new Further(part);
            reopening.add(new Backend.Opened(own, part.pool()));
        }
        return reopening;
    }

    /** Sets whose ports these are and who is told when the interface has returned; before {@link #follow}. */
    void setLoops(List<EventLoop> owners, Runnable returnedListener) {
        loops = owners;
        onReturned = returnedListener;
    }

    // ---- going and returning

    @Override
    public void follow(InterfaceListener listener) throws IOException {
        follow(current, listener);
    }

    private void follow(NetInterface netInterface, InterfaceListener listener) throws IOException {
        followed = netInterface;
        netInterface.follow(new Changes(netInterface, listener));
    }

    private void onGone(PortEnd end, InterfaceListener listener) {
        isAway = true;
        LOG.warn("interface={} end=\"{}\"; it is opened again when it returns", interfaceName, end.phrase());
        listener.onGone(end);
        Thread looking = new Thread(() -> look(listener), "weir-reopen-" + interfaceName);
        looking.setDaemon(true);
        looking.start();
    }

    private void look(InterfaceListener listener) {
        long startNanos = System.nanoTime();
        boolean isBack = false;
        while (!isBack && !isClosed()) {
            try {
                isBack = openOnLoops(listener);
            } catch (Throwable e) {
                // It may be mended by then, whatever it is, and nobody else would look.
                say(e);
            }
            if (!isBack) {
                LockSupport.parkNanos(LOOK_NANOS);
            }
        }
        if (isBack) {
            LOG.info(
                    "interface={} is open again after {} ms, with UDP ports {}",
                    interfaceName,
                    TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos),
                    claimed());
        }
    }

    /** Says each problem once. */
    private void say(Throwable problem) {
        String message = String.valueOf(problem.getMessage());
        if (!message.equals(latestProblem)) {
            latestProblem = message;
            LOG.warn("interface={} cannot be opened yet: {}", interfaceName, message);
        }
    }

    private boolean isClosed() {
        return loops.stream().anyMatch(EventLoop::isClosed)
                || parts.stream().anyMatch(part -> part.port().isClosed());
    }

    /** {@return whether it is open again} */
    private boolean openOnLoops(InterfaceListener listener) throws IOException, InterruptedException {
        // As long as there is nothing to open the loops are left to their work, with other transports of this process.
        backend.frameCapacityBytes(interfaceName);
        return new LoopGathering(loops, LOOK_NANOS, () -> reopen(listener)).run();
    }

    /** With all loops gathered: the pools and the ports are theirs. */
    private void reopen(InterfaceListener listener) throws IOException {
        if (isClosed()) {
            throw new IOException("the transport is closed");
        }
        retire();
        List<NetInterface> opened = openAll();
        List<Opened> taken = new ArrayList<>();
        boolean isTaken = false;
        try {
            for (NetInterface queue : opened) {
                taken.add(new Opened(queue.port(), queue.newWaiter()));
            }
            NetInterface first = opened.get(0);
            synchronized (this) {
                for (int udpPort : claimedPorts) {
                    first.claimPort(udpPort);
                }
                follow(first, listener);
                current = first;
                isAway = false;
            }
            for (int i = 0; i < taken.size(); i++) {
                parts.get(i).waiter().replace(taken.get(i).waiter());
                parts.get(i).port().replace(taken.get(i).port());
            }
            isTaken = true;
        } finally {
            if (!isTaken) {
                giveBack(opened, taken);
            }
        }
        tell(opened.get(0), listener);
    }

    private List<NetInterface> openAll() throws IOException {
        if (parts.size() == 1) {
            return List.of(backend.open(interfaceName, parts.get(0).pool(), config, furtherAddresses));
        }
        return backend.openQueues(interfaceName, parts.stream().map(Part::pool).toList(), config, furtherAddresses);
    }

    private void retire() {
        parts.forEach(part -> part.port().retire());
        synchronized (this) {
            claimedPorts.forEach(current::releasePort);
        }
    }

    private void giveBack(List<NetInterface> opened, List<Opened> taken) {
        followed = null;
        isAway = true;
        synchronized (this) {
            claimedPorts.forEach(opened.get(0)::releasePort);
        }
        opened.forEach(queue -> queue.port().close());
        taken.forEach(part -> part.waiter().close());
    }

    /** What may be different from before. */
    private void tell(NetInterface opened, InterfaceListener listener) {
        PortInfo info = opened.port().info();
        listener.onMacs(info.macAddress(), Map.of());
        listener.onAddresses(opened.addresses());
        listener.onMtu(info.mtuBytes());
        onReturned.run();
    }

    private synchronized List<Integer> claimed() {
        return List.copyOf(claimedPorts);
    }

    // ---- the interface

    @Override
    public NetPort port() {
        return parts.get(0).port();
    }

    @Override
    public List<InetAddress> addresses() {
        return current.addresses();
    }

    @Override
    public Path resolve(int localPort, InetSocketAddress remote) throws IOException {
        return current.resolve(localPort, remote);
    }

    @Override
    public Path resolve(int localPort, InetSocketAddress remote, long waitNanosMax) throws IOException {
        return current.resolve(localPort, remote, waitNanosMax);
    }

    @Override
    public Path knownPath(int localPort, InetSocketAddress remote) {
        return current.knownPath(localPort, remote);
    }

    /** While the interface is away a port is only noted, and claimed when it returns. */
    @Override
    public synchronized void claimPort(int udpPort) throws IOException {
        if (!isAway) {
            current.claimPort(udpPort);
        }
        claimedPorts.add(udpPort);
    }

    @Override
    public synchronized void releasePort(int udpPort) {
        if (claimedPorts.remove(udpPort)) {
            current.releasePort(udpPort);
        }
    }

    @Override
    public void findMacs(Collection<InetAddress> remotes) {
        current.findMacs(remotes);
    }

    @Override
    public void verify(InetAddress remote) {
        current.verify(remote);
    }

    @Override
    public Object host() {
        return host;
    }

    @Override
    public boolean isShared() {
        return current.isShared();
    }

    @Override
    public int memoryMtuBytes() {
        return current.memoryMtuBytes();
    }

    /** {@return the one that is closed with the loop} */
    @Override
    public Waiter newWaiter() {
        return parts.get(0).waiter();
    }

    /** The same interface, with the port of a further loop. */
    private final class Further implements NetInterface {
        private final Part part;

        Further(Part part) {
            this.part = part;
        }

        @Override
        public NetPort port() {
            return part.port();
        }

        /** {@return the one that is closed with the loop} */
        @Override
        public Waiter newWaiter() {
            return part.waiter();
        }

        @Override
        public List<InetAddress> addresses() {
            return ReopeningInterface.this.addresses();
        }

        @Override
        public Path resolve(int localPort, InetSocketAddress remote) throws IOException {
            return ReopeningInterface.this.resolve(localPort, remote);
        }

        @Override
        public Path resolve(int localPort, InetSocketAddress remote, long waitNanosMax) throws IOException {
            return ReopeningInterface.this.resolve(localPort, remote, waitNanosMax);
        }

        @Override
        public Path knownPath(int localPort, InetSocketAddress remote) {
            return ReopeningInterface.this.knownPath(localPort, remote);
        }

        @Override
        public void claimPort(int udpPort) throws IOException {
            ReopeningInterface.this.claimPort(udpPort);
        }

        @Override
        public void releasePort(int udpPort) {
            ReopeningInterface.this.releasePort(udpPort);
        }

        @Override
        public void findMacs(Collection<InetAddress> remotes) {
            ReopeningInterface.this.findMacs(remotes);
        }

        @Override
        public void verify(InetAddress remote) {
            ReopeningInterface.this.verify(remote);
        }

        @Override
        public Object host() {
            return ReopeningInterface.this.host();
        }

        @Override
        public boolean isShared() {
            return ReopeningInterface.this.isShared();
        }

        @Override
        public int memoryMtuBytes() {
            return ReopeningInterface.this.memoryMtuBytes();
        }
    }

    /** Events of one opening, as long as it is the latest. */
    private final class Changes implements InterfaceListener {
        private final NetInterface source;
        private final InterfaceListener listener;

        Changes(NetInterface source, InterfaceListener listener) {
            this.source = source;
            this.listener = listener;
        }

        private void pass(Consumer<InterfaceListener> news) {
            // Without the lock: who claims a port has it, and may wait for the thread that tells this.
            try {
                if (source.equals(followed)) {
                    news.accept(listener);
                }
            } catch (RejectedExecutionException e) {
                LOG.debug("interface={} is closed already", interfaceName, e);
            }
        }

        @Override
        public void onAddresses(List<InetAddress> addresses) {
            pass(told -> told.onAddresses(addresses));
        }

        @Override
        public void onMtu(int mtuBytes) {
            pass(told -> told.onMtu(mtuBytes));
        }

        @Override
        public void onPortChanged() {
            pass(told -> told.onPortChanged());
        }

        @Override
        public void onWaysChanged() {
            pass(told -> told.onWaysChanged());
        }

        @Override
        public void onMacs(long localMac, Map<InetAddress, Long> remoteMacs) {
            pass(told -> told.onMacs(localMac, remoteMacs));
        }

        @Override
        public void onReturned(long tag, InetSocketAddress remote, boolean isRefused) {
            pass(told -> told.onReturned(tag, remote, isRefused));
        }

        @Override
        public void onGone(PortEnd end) {
            pass(told -> ReopeningInterface.this.onGone(end, told));
        }
    }
}
