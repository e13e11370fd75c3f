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
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An interface that is opened again by its name when it was gone and has returned, with the same pool, the same claimed
 * ports and the same loop. A thread that lives only while it is away looks for it; the loop's own thread opens it,
 * because the pool is the loop's.
 */
final class ReopeningInterface implements NetInterface {
    private static final Logger LOG = LoggerFactory.getLogger(ReopeningInterface.class);
    /** How often it is looked for. One look costs a few system calls; who waits for a service waits for seconds. */
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    /** How often it is asked whether the loop has ended meanwhile, and no task of it runs any more. */
    private static final long ENDED_MILLIS = 100;

    private final Backend backend;
    private final String interfaceName;
    private final PortConfig config;
    private final List<InetAddress> furtherAddresses;
    private final FramePool pool;
    private final ReplaceablePort port;
    private final ReplaceableWaiter waiter;
    private final Object host;
    /** Is told that the interface has returned, on the loop's thread. Set before {@link #follow}. */
    private Runnable onReturned;
    /** The loop that owns the port. Set before {@link #follow}. */
    private EventLoop loop;
    /** The interface as it is, or was last. Replaced by the loop's thread. */
    private volatile NetInterface current;
    /** The interface whose events count; another one's come too late. Replaced by the loop's thread. */
    private volatile NetInterface followed;
    /** Whether the interface is gone, so that nothing can be claimed of it. */
    private volatile boolean isAway;
    /** Ports that are claimed, and are to be so of the next one. With the lock. */
    private final Set<Integer> claimedPorts = new TreeSet<>();
    /** What the thread that looks for the interface said last. That thread's. */
    private String latestProblem = "";

    /** Takes over an interface that {@code backend} has opened by this name. */
    ReopeningInterface(
            Backend backend,
            String interfaceName,
            PortConfig config,
            List<InetAddress> furtherAddresses,
            Backend.Opened opened)
            throws IOException {
        this.backend = backend;
        this.interfaceName = interfaceName;
        this.config = config;
        this.furtherAddresses = furtherAddresses;
        this.pool = opened.pool();
        this.current = opened.netInterface();
        this.port = new ReplaceablePort(current.port());
        this.host = current.host();
        this.waiter = new ReplaceableWaiter(current.newWaiter());
    }

    /** Sets whose port it is and who is told when the interface has returned; before {@link #follow}. */
    void setLoop(EventLoop owner, Runnable returnedListener) {
        loop = owner;
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
        while (!isBack && !loop.isClosed() && !port.isClosed()) {
            try {
                isBack = openOnLoop(listener);
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

    /** {@return whether it is open again} */
    private boolean openOnLoop(InterfaceListener listener) throws IOException, InterruptedException {
        // As long as there is nothing to open the loop is left to its work, with other transports of this process.
        backend.frameCapacityBytes(interfaceName);
        CompletableFuture<Void> opened = new CompletableFuture<>();
        boolean isAsked = loop.offer(now -> {
            try {
                reopen(listener);
                opened.complete(null);
            } catch (IOException | RuntimeException e) {
                opened.completeExceptionally(e);
            }
        });
        while (isAsked && !loop.awaitEnd(0)) {
            try {
                opened.get(ENDED_MILLIS, TimeUnit.MILLISECONDS);
                return true;
            } catch (TimeoutException e) {
                // The loop is busy, or has ended.
            } catch (ExecutionException e) {
                throw e.getCause() instanceof IOException refusal ? refusal : new IOException(e.getCause());
            }
        }
        return false;
    }

    /** Loop thread: the pool and the port are its own. */
    private void reopen(InterfaceListener listener) throws IOException {
        if (port.isClosed()) {
            throw new IOException("the transport is closed");
        }
        retire();
        NetInterface opened = backend.open(interfaceName, pool, config, furtherAddresses);
        NetPort openedPort = opened.port();
        Waiter openedWaiter = null;
        boolean isTaken = false;
        try {
            openedWaiter = opened.newWaiter();
            synchronized (this) {
                for (int udpPort : claimedPorts) {
                    opened.claimPort(udpPort);
                }
                follow(opened, listener);
                current = opened;
                isAway = false;
            }
            waiter.replace(openedWaiter);
            port.replace(openedPort);
            isTaken = true;
        } finally {
            if (!isTaken) {
                giveBack(opened, openedPort, openedWaiter);
            }
        }
        tell(opened, listener);
    }

    private void retire() {
        port.retire();
        synchronized (this) {
            claimedPorts.forEach(current::releasePort);
        }
    }

    private void giveBack(NetInterface opened, NetPort openedPort, Waiter openedWaiter) {
        followed = null;
        isAway = true;
        synchronized (this) {
            claimedPorts.forEach(opened::releasePort);
        }
        openedPort.close();
        if (openedWaiter != null) {
            openedWaiter.close();
        }
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
        return port;
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
        return waiter;
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
