package io.weir.nic.xdp;

import io.weir.nic.NicException;
import io.weir.nic.net.InterfaceFacts;
import io.weir.nic.net.InterfaceView;
import io.weir.nic.net.Interfaces;
import io.weir.nic.net.KernelEvent;
import io.weir.nic.net.KernelWatch;
import io.weir.nic.net.NetNamespace;
import io.weir.transport.runtime.InterfaceListener;
import java.net.InetAddress;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows an open interface as the kernel changes it, on a thread of its own that sleeps until the kernel says something:
 * nothing of it is on the way of a frame. It changes what the port takes, and tells the transport.
 */
final class InterfaceFollower implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(InterfaceFollower.class);
    private static final long CLOSE_MILLIS_MAX = 2_000;
    private static final long SLEEP_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final String interfaceName;
    private final int interfaceIndex;
    private final Set<InetAddress> furtherAddresses;
    private final NetNamespace namespace;
    private final KernelWatch watch;
    private final ClaimedPorts claims;
    private final InterfaceView view;
    /** Set before the thread starts. */
    private InterfaceListener listener;
    /** Null until {@link #start}. */
    private PollWaiter waiter;
    /** Null until {@link #start}. */
    private Thread thread;
    /** Whether the thread is to end; written by {@link #close}. */
    private volatile boolean isClosed;

    /** Follows nothing until {@link #start}; closes {@code watch}, which has been listening since before {@code facts}. */
    InterfaceFollower(
            AfXdpConfig config,
            InterfaceFacts facts,
            NetNamespace namespace,
            KernelWatch watch,
            ClaimedPorts claims) {
        this.interfaceName = facts.name();
        this.interfaceIndex = facts.index();
        this.furtherAddresses = Set.copyOf(config.addresses());
        this.namespace = namespace;
        this.watch = watch;
        this.claims = claims;
        this.view = new InterfaceView(facts.index(), new Changes());
    }

    /** Starts to follow the interface; once. */
    synchronized void start(InterfaceListener changes) throws NicException {
        if (isClosed || thread != null) {
            throw new IllegalStateException("interface " + interfaceName + " is closed, or followed already");
        }
        listener = changes;
        waiter = new PollWaiter(watch.fileDescriptor());
        thread = new Thread(this::run, "weir-follow-" + interfaceName);
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        try {
            readAgain();
            while (!isClosed) {
                if (!watch.read(view::onEvent)) {
                    LOG.warn("interface={} lost some of the kernel's events; reads them again", interfaceName);
                    readAgain();
                }
                waiter.await(SLEEP_NANOS);
            }
        } catch (RuntimeException | NicException e) {
            if (!isClosed) {
                LOG.error("interface={} is followed no longer", interfaceName, e);
            }
        }
    }

    /** Reads what the kernel knows now: addresses here, the rest as events. */
    private void readAgain() throws NicException {
        view.forgetNeighbours();
        watch.requestTables(interfaceIndex);
        InterfaceFacts facts = namespace.call(() -> Interfaces.find(interfaceName));
        if (facts.index() == interfaceIndex) {
            view.setAddresses(facts.addresses());
            for (InetAddress address : claims.addresses()) {
                boolean isThere = facts.addresses().stream()
                        .anyMatch(known -> known.address().equals(address));
                if (!isThere) {
                    removeAddress(address);
                }
            }
        }
    }

    private void removeAddress(InetAddress address) {
        if (furtherAddresses.contains(address)) {
            return;
        }
        try {
            claims.removeAddress(address);
        } catch (NicException e) {
            LOG.warn("interface={} address={} cannot be given back", interfaceName, address.getHostAddress(), e);
        }
        tellAddresses();
    }

    private void addAddress(InetAddress address) {
        try {
            claims.addAddress(address);
        } catch (NicException e) {
            LOG.warn("interface={} address={} is left to the kernel", interfaceName, address.getHostAddress(), e);
        }
        tellAddresses();
    }

    private void tellAddresses() {
        List<InetAddress> addresses = claims.addresses();
        LOG.info("interface={} addresses={}", interfaceName, addresses);
        listener.onAddresses(addresses);
    }

    /** Ends the thread and closes the netlink socket. */
    @Override
    public void close() {
        Thread follower;
        synchronized (this) {
            if (isClosed) {
                return;
            }
            isClosed = true;
            follower = thread;
        }
        if (follower != null) {
            waiter.wake();
            join(follower);
            waiter.close();
        }
        watch.close();
    }

    private static void join(Thread follower) {
        boolean isInterrupted = Thread.interrupted();
        try {
            follower.join(CLOSE_MILLIS_MAX);
        } catch (InterruptedException e) {
            isInterrupted = true;
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** What is done about each change. */
    private final class Changes implements InterfaceView.Listener {
        @Override
        public void onAddressAdded(InetAddress address) {
            addAddress(address);
        }

        @Override
        public void onAddressRemoved(InetAddress address) {
            removeAddress(address);
        }

        @Override
        public void onLink(KernelEvent.Link link) {}

        @Override
        public void onGone() {}

        @Override
        public void onNeighbourMoved(InetAddress address, long macAddress) {}

        @Override
        public void onRoutes() {}
    }
}
