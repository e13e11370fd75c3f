package io.weir.nic.host;

import io.weir.nic.Errno;
import io.weir.nic.NicException;
import io.weir.nic.net.Ethtool;
import io.weir.nic.net.InterfaceFacts;
import io.weir.nic.net.InterfaceView;
import io.weir.nic.net.Interfaces;
import io.weir.nic.net.KernelEvent;
import io.weir.nic.net.KernelWatch;
import io.weir.nic.net.LocalAddress;
import io.weir.nic.net.NeighbourState;
import io.weir.nic.net.Neighbours;
import io.weir.nic.net.NetNamespace;
import io.weir.nic.net.ReturnedFrames;
import io.weir.transport.host.HostConfig;
import io.weir.transport.node.PortEnd;
import io.weir.transport.runtime.InterfaceListener;
import io.weir.transport.runtime.OwnTimeLimit;
import io.weir.transport.wire.WeirHeader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows an open interface as the kernel changes it, on its own thread that sleeps until the kernel says
 * something, or until it is time to ask what the kernel does not tell: nothing of it is on the way of a frame. It
 * changes what the port takes, and tells the transport.
 */
final class InterfaceFollower implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(InterfaceFollower.class);
    private static final long CLOSE_SECONDS_MAX = 2;
    private static final int UNKNOWN = -1;
    /** A thread that wakes now and then runs cold code: this is what an idle host costs. */
    private static final long QUEUES_NANOS = TimeUnit.SECONDS.toNanos(5);

    private static final long SUCCESSOR_NANOS = TimeUnit.SECONDS.toNanos(1);
    /** How soon the kernel is asked again after it could not be: descriptors or memory are short for a while. */
    private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);
    /** How long the kernel's question to a neighbour may go unanswered before everybody is asked. */
    private static final long PROBE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    /** Changes of ways that come together are told together. */
    private static final long WAYS_NANOS_MIN = TimeUnit.MILLISECONDS.toNanos(50);

    /** A host that is silent is looked for at most once in this time. */
    private static final long VERIFY_NANOS_MIN = TimeUnit.SECONDS.toNanos(1);
    /** Hosts that are looked for at once; others of them have to wait, and are named again while they are silent. */
    private static final int VERIFICATIONS_MAX = 256;
    /** How the kernel translates what ICMP says of a host that cannot be reached, or must not be. */
    private static final Set<Errno> UNREACHABLE =
            EnumSet.of(Errno.EHOSTUNREACH, Errno.ENETUNREACH, Errno.EACCES, Errno.ENOPROTOOPT);

    /** What the kernel calls the interface now; written by the thread. */
    private volatile String interfaceName;

    private final int interfaceIndex;
    private final NetNamespace namespace;
    private final Set<InetAddress> furtherAddresses;
    private final HostPorts ports;
    private final boolean isEveryQueueTaken;
    private final int queueCount;
    private final KernelWatch watch;
    private final ReturnedFrames returned;
    private final ClaimedPorts claims;
    private final KnownWays ways;
    private final InterfaceView view;
    /** What other threads ask this one to do. */
    private final Queue<Runnable> requests = new ConcurrentLinkedQueue<>();
    /** Hosts that are silent, until they are looked for. */
    private final Set<InetAddress> silent = ConcurrentHashMap.newKeySet();
    /** The next hop to each host that was asked for, until routes change. */
    private final Map<InetAddress, InetAddress> nextHops = new HashMap<>();
    /** When each next hop was last verified, for those that were within {@link #VERIFY_NANOS_MIN}. */
    private final Map<InetAddress, Long> verifiedNanos = new HashMap<>();
    /** Next hops that the kernel asks now: the host that wants it, and since when. */
    private final Map<InetAddress, Probe> probes = new HashMap<>();
    /** Set before the thread starts. */
    private InterfaceListener listener;
    /** Null until {@link #start}. */
    private PollWaiter waiter;
    /** Null until {@link #start}. */
    private Thread thread;
    /** Whether the thread is to end; written by {@link #close}. */
    private volatile boolean isClosed;
    /** The interface's own Ethernet address; written by the thread. */
    private volatile long macAddress;
    /** Whether ways have changed since the listener was told. */
    private boolean areWaysChanged;
    /** When the listener was last told that ways changed. */
    private long waysNanos;
    /** Why frames for our ports were left to the kernel, as far as it was said. */
    private final Set<String> skipReasons = new HashSet<>();
    /** Whether the interface was deleted. */
    private boolean isGone;
    /** Whether the kernel has told what this thread does not know, and could not be asked for it since. */
    private boolean isStale;
    /** When it is asked next, while {@link #isStale}. */
    private long retryNanos;
    /** Why the link moves no frames, or null. */
    private String linkFailure;
    /** When the program and the skipped frames are looked at next, which no event tells. */
    private long lookNanos;
    /** The interface's XDP program at the beginning, or at the first look that the kernel answered. */
    private int programId = UNKNOWN;
    /** What another program there means, or null. */
    private String programFailure;
    /** Why some queues are not taken, or null. */
    private String queueFailure;

    /** A question that the kernel has put to a next hop. */
    private record Probe(InetAddress remote, long startNanos) {}

    /**
     * Follows nothing until {@link #start}; closes {@code watch}, which has been listening since before the plan's
     * facts.
     */
    InterfaceFollower(
            HostInterface.Plan plan,
            HostPorts ports,
            KernelWatch watch,
            ReturnedFrames returned,
            ClaimedPorts claims,
            KnownWays ways) {
        InterfaceFacts facts = plan.facts();
        this.interfaceName = facts.name();
        this.interfaceIndex = facts.index();
        this.namespace = plan.namespace();
        this.furtherAddresses = Set.copyOf(plan.furtherAddresses());
        this.ports = ports;
        this.isEveryQueueTaken = plan.isEveryQueueTaken();
        this.queueCount = facts.receiveQueueCount();
        this.watch = watch;
        this.returned = returned;
        this.claims = claims;
        this.ways = ways;
        this.macAddress = facts.macAddress();
        this.view = new InterfaceView(facts.index(), new Changes());
    }

    /** Starts to follow the interface; once. */
    synchronized void start(InterfaceListener changes) throws NicException {
        if (isClosed || thread != null) {
            throw new IllegalStateException("interface " + interfaceName + " is closed, or followed already");
        }
        listener = changes;
        programId = namespace.call(this::programIdNow);
        waiter = new PollWaiter(watch.fileDescriptor(), returned.fileDescriptor());
        thread = new Thread(this::run, "weir-follow-" + interfaceName);
        thread.setDaemon(true);
        thread.start();
    }

    /** {@return the interface's own Ethernet address} */
    long macAddress() {
        return macAddress;
    }

    /** Finds the next hops to these hosts. Any thread; the answer goes to the listener. */
    void findMacs(Collection<InetAddress> remotes) {
        List<InetAddress> wanted = List.copyOf(remotes);
        request(() -> tellMacs(wanted));
    }

    /** Looks for a host that is silent. Any thread. */
    void verify(InetAddress remote) {
        if (silent.size() < VERIFICATIONS_MAX && silent.add(remote)) {
            request(() -> {
                silent.remove(remote);
                startVerification(remote);
            });
        }
    }

    private synchronized void request(Runnable work) {
        if (thread != null && !isClosed) {
            requests.add(work);
            waiter.wake();
        }
    }

    private void run() {
        boolean isEnded = false;
        while (!isEnded) {
            try {
                // The thread stays in the interface's namespace, where the kernel answers for it.
                namespace.call(this::follow);
                isEnded = true;
            } catch (Throwable e) {
                isEnded = !restAfter(e);
            }
        }
        ways.follow(false);
    }

    /**
     * What fails here, perhaps for want of memory, must not leave an interface that nobody follows.
     *
     * @return whether to follow it again
     */
    private boolean restAfter(Throwable problem) {
        ways.follow(false);
        if (isClosed) {
            return false;
        }
        try {
            LOG.error("interface={} could not be followed, and is again in a second", interfaceName, problem);
        } catch (Throwable e) {
            // Without memory, logging fails too.
        }
        waiter.standBy(RETRY_NANOS);
        return !isClosed;
    }

    private Void follow() {
        lookNanos = System.nanoTime();
        readAgain();
        ways.follow(true);
        while (!isClosed) {
            if (!watch.read(this::onEvent)) {
                LOG.warn("interface={} lost some of the kernel's events; reads them again", interfaceName);
                readAgain();
            }
            returned.read(this::onReturned);
            for (Runnable work = requests.poll(); work != null; work = requests.poll()) {
                work.run();
            }
            long nowNanos = System.nanoTime();
            endVerifications(nowNanos);
            if (isGone) {
                findSuccessor();
            } else {
                checkQueues();
                if (isStale && nowNanos - retryNanos >= 0) {
                    readAgain();
                }
                if (nowNanos - lookNanos >= 0) {
                    lookNanos = nowNanos + QUEUES_NANOS;
                    checkProgram();
                    checkSkipped();
                }
            }
            long askNanos = isGone ? SUCCESSOR_NANOS : isStale ? RETRY_NANOS : QUEUES_NANOS;
            waiter.await(Math.min(tellWays(nowNanos), probes.isEmpty() ? askNanos : PROBE_NANOS / 4));
        }
        return null;
    }

    /** What the network says is heard only if it quotes a tag, which proves that it has seen the frame. */
    private void onReturned(int errno, InetAddress remote, int remotePort, UnsafeBuffer quote, int quoteBytes) {
        long tag = WeirHeader.quotedTag(quote, 0, quoteBytes);
        if (tag == WeirHeader.NO_TAG) {
            return;
        }
        if (errno == Errno.ECONNREFUSED.number()) {
            listener.onReturned(tag, new InetSocketAddress(remote, remotePort), true);
        } else if (UNREACHABLE.stream().anyMatch(error -> error.number() == errno)) {
            listener.onReturned(tag, new InetSocketAddress(remote, remotePort), false);
        }
    }

    private void onEvent(KernelEvent event) {
        if (event instanceof KernelEvent.Link link && link.index() == interfaceIndex) {
            onName(link.name());
        }
        ways.onEvent(event);
        view.onEvent(event);
    }

    private void onName(String name) {
        if (!name.isEmpty() && !name.equals(interfaceName)) {
            LOG.info("interface={} name={}", interfaceName, name);
            interfaceName = name;
        }
    }

    /**
     * Reads what the kernel knows now: addresses here, the rest as events. Where the kernel cannot be asked, everything
     * stays as it was known, and it is asked again: only its word that there is no such interface ends anything.
     */
    private void readAgain() {
        ways.forgetAll();
        view.forgetNeighbours();
        nextHops.clear();
        boolean isAsked = watch.requestTables(interfaceIndex);
        try {
            Optional<InterfaceFacts> facts = Interfaces.lookUp(interfaceIndex);
            if (facts.isPresent()) {
                boolean isWhole = setAddresses(facts.get());
                setStale(
                        !isAsked || !isWhole,
                        isAsked ? "not every address or port could be taken" : "its queue for questions is full");
            } else if (!isGone) {
                // Its events may have come before this thread listened, or be among those that were lost.
                onGone();
            }
        } catch (NicException e) {
            setStale(true, e.getMessage());
        }
    }

    private void setStale(boolean isStaleNow, String reason) {
        if (isStaleNow && !isStale) {
            LOG.warn(
                    "interface={} cannot be read from the kernel; what is known stays, and it is asked each second"
                            + " reason=\"{}\"",
                    interfaceName,
                    reason);
        } else if (isStale && !isStaleNow) {
            LOG.info("interface={} is read from the kernel again", interfaceName);
        }
        isStale = isStaleNow;
        retryNanos = System.nanoTime() + RETRY_NANOS;
    }

    /** {@return whether all addresses and claimed ports are taken} */
    private boolean setAddresses(InterfaceFacts facts) throws NicException {
        view.setAddresses(facts.addresses());
        List<InetAddress> found =
                facts.addresses().stream().map(LocalAddress::address).toList();
        claims.addresses().stream().filter(claimed -> !found.contains(claimed)).forEach(this::removeAddress);
        // Those that could not be taken when they came.
        List<InetAddress> ours = claims.addresses();
        found.stream().filter(address -> !ours.contains(address)).forEach(this::addAddress);
        return claims.complete() && claims.addresses().containsAll(found);
    }

    // ---- addresses

    private void addAddress(InetAddress address) {
        try {
            claims.addAddress(address);
        } catch (NicException e) {
            LOG.warn(
                    "interface={} address={} is left to the kernel for now",
                    interfaceName,
                    address.getHostAddress(),
                    e);
            setStale(true, e.getMessage());
        }
        tellAddresses();
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

    private void tellAddresses() {
        List<InetAddress> addresses = claims.addresses();
        LOG.info("interface={} addresses={}", interfaceName, addresses);
        listener.onAddresses(addresses);
    }

    // ---- the link and its queues

    private void onLink(KernelEvent.Link link) {
        LOG.info(
                "interface={} up={} running={} mtuBytes={}",
                interfaceName,
                link.isUp(),
                link.isRunning(),
                link.mtuBytes());
        linkFailure = link.isRunning()
                ? null
                : "interface " + interfaceName + " is down"
                        + (link.isUp()
                                ? ": it has no link partner"
                                : "; set it up: ip link set " + interfaceName + " up");
        if (linkFailure == null && link.mtuBytes() > 0 && link.mtuBytes() < HostConfig.MTU_BYTES_MIN) {
            linkFailure = "interface " + interfaceName + " has MTU " + link.mtuBytes() + ", less than "
                    + HostConfig.MTU_BYTES_MIN + "; raise it: ip link set " + interfaceName + " mtu "
                    + HostConfig.MTU_BYTES_MIN;
        }
        if (link.mtuBytes() > ports.info().mtuBytes()) {
            LOG.warn(
                    "interface={} mtuBytes={} uses={}; open the transport again to use more",
                    interfaceName,
                    link.mtuBytes(),
                    ports.info().mtuBytes());
        }
        if (link.mtuBytes() > 0) {
            listener.onMtu(link.mtuBytes());
        }
        tellPort();
        if (link.macAddress() != 0 && link.macAddress() != macAddress) {
            macAddress = link.macAddress();
            areWaysChanged = true;
        }
    }

    private void checkQueues() {
        int found;
        try {
            found = Ethtool.receiveQueueCount(interfaceName);
        } catch (NicException e) {
            return;
        }
        String before = queueFailure;
        queueFailure = found > 0 && isEveryQueueTaken && found != queueCount
                ? queueFailure(interfaceName, found, queueCount)
                : null;
        if (before == null ? queueFailure != null : !before.equals(queueFailure)) {
            tellPort();
        }
    }

    /**
     * {@return what a changed number of queues means} The kernel takes none away that has an AF_XDP socket: those that
     * are lost are new.
     */
    private static String queueFailure(String interfaceName, int found, int openedCount) {
        return "interface " + interfaceName + " has " + found + " receive queues now, and had " + openedCount
                + " when it was opened: frames of the added queues are lost; open the transport again, or take the queues away"
                + " (ethtool -L " + interfaceName + ")";
    }

    /** Looks whether the XDP program is still the one that was there at the beginning. */
    private void checkProgram() {
        int found = programIdNow();
        if (found == UNKNOWN) {
            return;
        }
        if (programId == UNKNOWN) {
            programId = found;
        }
        String before = programFailure;
        programFailure = found == programId ? null : programFailure(found);
        if (programFailure == null ? before == null : programFailure.equals(before)) {
            return;
        }
        if (ports.first().needsProgram()) {
            tellPort();
        } else if (programFailure != null) {
            LOG.warn("interface={} program=\"{}\"", interfaceName, programFailure);
        }
    }

    /** {@return the interface's XDP program, or UNKNOWN while there is no interface or the kernel cannot be asked} */
    private int programIdNow() {
        try {
            return Interfaces.lookUp(interfaceIndex)
                    .map(InterfaceFacts::xdpProgramId)
                    .orElse(UNKNOWN);
        } catch (NicException e) {
            return UNKNOWN;
        }
    }

    private String programFailure(int found) {
        String what = "interface " + interfaceName + " had XDP program " + programId + " when it was opened, and has ";
        return found == 0
                ? what + "none now: frames for this transport go to the kernel; open the transport again"
                : what + "program " + found + " now, which gets its frames first; take it off (ip link set dev "
                        + interfaceName + " xdp off), and open the transport again";
    }

    /** Says once for each reason that frames for our ports have a shape that is not taken. */
    private void checkSkipped() {
        ports.first().skippedFrames().forEach((reason, count) -> {
            if (skipReasons.add(reason)) {
                LOG.warn(
                        "interface={} frames=\"{} for our ports {}\" keeps=kernel; nothing of them reaches this transport",
                        interfaceName,
                        count,
                        reason);
            }
        });
    }

    /** The kernel may give the new interface the number of the old one. */
    private void findSuccessor() {
        try {
            ports.setSuccessor(Interfaces.numberOf(interfaceName));
        } catch (NicException e) {
            LOG.debug("interface={} cannot be asked for", interfaceName, e);
        }
    }

    private void tellPort() {
        String programImpairs = ports.first().needsProgram() ? programFailure : null;
        ports.setImpairment(linkFailure != null ? linkFailure : programImpairs != null ? programImpairs : queueFailure);
        listener.onPortChanged();
    }

    private void onGone() {
        LOG.warn("interface={} end={}", interfaceName, PortEnd.INTERFACE_DELETED.phrase());
        isGone = true;
        ports.setGone();
        listener.onGone(PortEnd.INTERFACE_DELETED);
    }

    // ---- ways

    /** {@return how long until the listener has to be told of changes; the largest value where there are none} */
    private long tellWays(long nowNanos) {
        if (!areWaysChanged) {
            return Long.MAX_VALUE;
        }
        long waitNanos = waysNanos + WAYS_NANOS_MIN - nowNanos;
        if (waysNanos != 0 && waitNanos > 0) {
            return waitNanos;
        }
        areWaysChanged = false;
        waysNanos = nowNanos;
        listener.onWaysChanged();
        return Long.MAX_VALUE;
    }

    private void tellMacs(List<InetAddress> remotes) {
        nextHops.keySet().retainAll(Set.copyOf(remotes));
        Map<InetAddress, Long> macs = new HashMap<>();
        for (InetAddress remote : remotes) {
            InetAddress hop = nextHop(remote);
            long mac = hop == null ? 0 : view.macAddressOf(hop);
            if (mac != 0) {
                macs.put(remote, mac);
            }
        }
        listener.onMacs(macAddress, macs);
    }

    private InetAddress nextHop(InetAddress remote) {
        return nextHops.computeIfAbsent(remote, wanted -> Neighbours.nextHop(wanted, interfaceIndex));
    }

    /**
     * Has the kernel ask the next hop at the address that it knows: one that is there answers, and nobody else notices.
     * One that is unknown is looked for at once.
     */
    private void startVerification(InetAddress remote) {
        long nowNanos = System.nanoTime();
        verifiedNanos.values().removeIf(nanos -> nowNanos - nanos >= VERIFY_NANOS_MIN);
        InetAddress hop = nextHop(remote);
        if (hop == null || verifiedNanos.putIfAbsent(hop, nowNanos) != null) {
            return;
        }
        NeighbourState state = view.stateOf(hop);
        try {
            if (state == null) {
                Neighbours.findAgain(remote, hop, interfaceIndex);
            } else if (!state.isFixed()) {
                Neighbours.probe(hop, view.macAddressOf(hop), interfaceIndex);
                probes.put(hop, new Probe(remote, nowNanos));
            }
        } catch (NicException e) {
            LOG.debug("interface={} neighbour={} cannot be verified", interfaceName, hop.getHostAddress(), e);
        }
    }

    /** Asks everybody for next hops that did not answer. */
    private void endVerifications(long nowNanos) {
        List<InetAddress> due = new ArrayList<>();
        probes.forEach((hop, probe) -> {
            if (nowNanos - probe.startNanos() >= PROBE_NANOS) {
                due.add(hop);
            }
        });
        for (InetAddress hop : due) {
            Probe probe = probes.remove(hop);
            NeighbourState state = view.stateOf(hop);
            if (state != null && state.isSettled()) {
                continue;
            }
            try {
                Neighbours.findAgain(probe.remote(), hop, interfaceIndex);
            } catch (NicException e) {
                LOG.debug("interface={} neighbour={} cannot be found", interfaceName, hop.getHostAddress(), e);
            }
        }
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
        returned.close();
    }

    private static void join(Thread follower) {
        boolean isInterrupted = Thread.interrupted();
        try {
            OwnTimeLimit.ofSeconds(CLOSE_SECONDS_MAX).join(follower);
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
        public void onLink(KernelEvent.Link link) {
            InterfaceFollower.this.onLink(link);
        }

        @Override
        public void onGone() {
            InterfaceFollower.this.onGone();
        }

        @Override
        public void onNeighbourMoved(InetAddress address) {
            areWaysChanged = true;
        }

        @Override
        public void onRoutes() {
            nextHops.clear();
            areWaysChanged = true;
        }
    }
}
