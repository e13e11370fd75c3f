package io.weir.nic.broker;

import io.weir.nic.Errno;
import io.weir.nic.NicException;
import io.weir.nic.ffi.Libc;
import io.weir.nic.ffi.NativeMemory;
import io.weir.nic.host.KernelPort;
import io.weir.nic.host.SliceWaiter;
import io.weir.transport.frame.FramePool;
import io.weir.transport.node.ConfigException;
import io.weir.transport.node.NetPort;
import io.weir.transport.node.PortEnd;
import io.weir.transport.node.PortInfo;
import io.weir.transport.observation.CounterFolder;
import io.weir.transport.runtime.Backend;
import io.weir.transport.runtime.EventLoop;
import io.weir.transport.runtime.InterfaceListener;
import io.weir.transport.runtime.NetInterface;
import io.weir.transport.runtime.NodeBinding;
import io.weir.transport.runtime.OwnTimeLimit;
import io.weir.transport.runtime.SchedulingConfig;
import io.weir.transport.runtime.Waiter;
import io.weir.transport.telemetry.AccountId;
import io.weir.transport.telemetry.Ledger;
import io.weir.transport.wire.Ethernet;
import io.weir.transport.wire.IpAddress;
import io.weir.transport.wire.Path;
import io.weir.transport.wire.SharedHostMac;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Serves one interface to many processes that need no privilege: owns its port, and gives each client a region of
 * shared memory and a bell. Frames from the interface go to the client that has their UDP port; frames of clients leave
 * in turn. Two clients that talk to each other get a region between them.
 *
 * <p>The loop's thread moves frames. Each client has a thread that reads what it asks for, and one thread accepts.
 */
public final class Broker implements AutoCloseable {
    /** The most clients at a time: each costs a thread and some megabytes of memory. */
    public static final int CLIENTS_MAX = 256;

    /** The most clients of one user who is not root. */
    public static final int CLIENTS_PER_USER_MAX = 64;

    /** Places that only root gets: an administrator who ends others needs one. */
    public static final int ROOT_CLIENTS = 16;

    /** Slots of a ring between the broker and a client: as many as an AF_XDP ring. */
    private static final int CLIENT_SLOTS = 2_048;

    /** The largest IP packet between two clients, unless the interface takes longer ones. */
    private static final int MEMORY_MTU_BYTES = 9_000;

    /** What the kernel has for "do not wait": a tick. */
    private static final long LEAST_WAIT_NANOS = TimeUnit.MICROSECONDS.toNanos(1);

    /**
     * How long nobody is accepted after a process whose user has used up its time: to accept one takes some 200
     * microseconds with its thread, a twenty-fifth of that. The queue is {@link UnixSocket}'s 64, so that others wait a
     * third of a second at most.
     */
    private static final long DEBTOR_REST_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private static final int NUMBER_MAX = 65_535;
    private static final long POLL_SLICE_NANOS = TimeUnit.MICROSECONDS.toNanos(50);
    private static final long ON_LOOP_MILLIS = 100;
    private static final long CLOSE_SECONDS_MAX = 5;

    private final BrokerConfig config;
    private final NetInterface netInterface;
    private final FramePool pool;
    private final BrokerListener listener;
    private final BrokerSocket socket;
    private final Exchange exchange = new Exchange();
    private final RegionWaiter waiter;
    private final EventLoop loop;
    private final ClientPairs pairs;
    /** What clients want to know of next hops; the broker itself is an asker that has no session. */
    private final MacRequests<Optional<BrokerSession>> macRequests;

    /** Of ports, each of which takes one per address. */
    private final UserQuota descriptorQuota = UserQuota.ofDescriptors();
    /** Of the rings with clients and between them. */
    private final UserQuota memoryQuota;
    /** What the requests of users cost. */
    private final UserTime userTime;
    /** Of sessions that begin or end. */
    private final UserTurns userTurns = new UserTurns();
    /** Where the hello of a client goes that gets no place. The accepting thread's. */
    private final UnsafeBuffer refusedHello = NativeMemory.allocate(UnixSocket.MESSAGE_BYTES_MAX);
    /** Where others see what it counts. */
    private final BrokerCounters counterFile;
    /** Why the broker cannot serve any more, or null. */
    private volatile Throwable fault;
    /** Connections, also those that have not said hello yet. With the lock, as all that follows. */
    private final Set<BrokerSession> sessions = new HashSet<>();
    /** The number that was given last. */
    private int lastNumber;
    /** Clients that were ever served. */
    private long servedCount;
    /** Why the interface moves no frames any more, or null; written by the thread that follows it. */
    private volatile String end;
    /** Whether nobody is served any more. */
    private boolean isClosing;

    private Broker(
            BrokerConfig config,
            NetInterface netInterface,
            FramePool pool,
            BrokerListener listener,
            BrokerSocket socket)
            throws IOException {
        this.config = config;
        this.netInterface = netInterface;
        this.pool = pool;
        this.listener = listener;
        this.socket = socket;
        this.macRequests = new MacRequests<>(netInterface::findMacs);
        this.userTime = new UserTime(config.userSharePercent());
        this.memoryQuota = UserQuota.ofMemory(config.memoryBytesMax());
        this.pairs = new ClientPairs(memoryMtuBytes() + Ethernet.HEADER_BYTES, memoryQuota);
        NetPort port = netInterface.port();
        int descriptor = port.pollFileDescriptor();
        this.waiter = new RegionWaiter(descriptor);
        if (port instanceof KernelPort kernelPort) {
            // The descriptor of a deleted interface polls ready permanently.
            kernelPort.setStopListener(() -> waiter.forget(descriptor));
        }
        exchange.setMac(port.info().macAddress());
        exchange.setAddresses(numbers(netInterface.addresses()));
        Waiter loopWaiter = descriptor >= 0 ? waiter : new SliceWaiter(waiter, POLL_SLICE_NANOS);
        this.loop = new EventLoop(
                "weir-broker-" + port.info().name(),
                List.of(new NodeBinding(exchange, List.of(exchange.over(port)))),
                config.idleMode(),
                loopWaiter,
                () -> {});
        loop.helpers().stopSharing();
        this.counterFile = BrokerCounters.open(CounterFolder.of(System::getProperty), port.info());
        loop.setReport((monitor, nowNanos) -> counterFile.report(monitor, pool, nowNanos));
    }

    /**
     * {@return a broker that serves}
     *
     * @throws IOException if the interface cannot be opened or the socket not be made; the message has the reason and
     *     the remedy, and nothing has been changed
     */
    public static Broker open(BrokerConfig config, SchedulingConfig scheduling, BrokerListener listener)
            throws IOException {
        Backend backend = find(config.backend());
        return open(
                config,
                scheduling,
                listener,
                () -> backend.open(
                        config.interfaceName(), config.port().orProperties(System::getProperty), config.addresses()));
    }

    /** How the interface is opened that a broker serves. */
    @FunctionalInterface
    interface Opener {
        /** {@return the interface with its pool} */
        Backend.Opened open() throws IOException;
    }

    /** {@return a broker that serves what {@code opener} opens} */
    static Broker open(BrokerConfig config, SchedulingConfig scheduling, BrokerListener listener, Opener opener)
            throws IOException {
        BrokerSocket socket = BrokerSocket.open(config);
        NetInterface netInterface = null;
        Broker broker = null;
        try {
            Backend.Opened opened = opener.open();
            netInterface = opened.netInterface();
            broker = new Broker(config, netInterface, opened.pool(), listener, socket);
            broker.start(scheduling);
            return broker;
        } finally {
            if (broker == null) {
                if (netInterface != null) {
                    netInterface.port().close();
                }
                socket.close();
            }
        }
    }

    private static Backend find(String name) {
        List<String> names = new ArrayList<>();
        for (Backend backend : ServiceLoader.load(Backend.class, Backend.class.getClassLoader())) {
            if (backend.name().equals(name) && !name.equals(BrokerBackend.NAME)) {
                return backend;
            }
            names.add(backend.name());
        }
        names.remove(BrokerBackend.NAME);
        throw new ConfigException("backend=" + name + " cannot be served by a broker; this build has " + names);
    }

    private void start(SchedulingConfig scheduling) throws IOException {
        loop.setScheduling(scheduling);
        boolean isStarted = false;
        try {
            netInterface.follow(new Changes());
            loop.start();
            socket.start(this::serve, this::tellNews, this::onFault);
            isStarted = true;
        } finally {
            if (!isStarted) {
                loop.close();
                counterFile.close();
            }
        }
    }

    // ---- clients

    private long serve(UnixSocket client) throws NicException {
        ThreadTime used = new ThreadTime();
        UnixSocket.Peer peer = client.peer();
        place(client, peer);
        long nowNanos = System.nanoTime();
        userTime.charge(peer.user(), used.takeNanos(), nowNanos);
        return Math.min(DEBTOR_REST_NANOS, userTime.waitNanos(peer.user(), nowNanos));
    }

    /** Gives a client a place and a thread, or refuses it. */
    private void place(UnixSocket client, UnixSocket.Peer peer) {
        BrokerSession session;
        synchronized (this) {
            List<BrokerSession> ofUser = sessions.stream()
                    .filter(other -> other.userNumber() == peer.user())
                    .toList();
            // To look up a name takes longer than all the rest.
            String user = ofUser.isEmpty()
                    ? Libc.userName(peer.user())
                    : ofUser.get(0).user();
            session = new BrokerSession(this, client, peer, user);
            String excess = excess(peer.user(), ofUser.size());
            if (excess != null) {
                // Its buffer is empty, so that this does not wait.
                session.refuse(0, RefusalKind.ENVIRONMENT, excess);
                listener.onRefusal(session.processId(), session.user(), excess);
                // Left unread, its hello would make the kernel drop the refusal.
                client.setReceiveTimeout(LEAST_WAIT_NANOS);
                client.receive(refusedHello);
                client.close();
                return;
            }
            sessions.add(session);
        }
        Thread thread = new Thread(session::run, "weir-broker-client");
        thread.setDaemon(true);
        boolean isStarted = false;
        try {
            thread.start();
            isStarted = true;
        } finally {
            if (!isStarted) {
                synchronized (this) {
                    sessions.remove(session);
                }
            }
        }
    }

    /** {@return why a user gets no place, or null} With the lock. */
    private String excess(int user, long ofUser) {
        if (user != 0 && ofUser >= CLIENTS_PER_USER_MAX) {
            return "this user has " + ofUser + " processes at the broker of " + config.socket()
                    + ", the most of one user (" + CLIENTS_PER_USER_MAX + "); end some";
        }
        int placesMax = user == 0 ? CLIENTS_MAX : CLIENTS_MAX - ROOT_CLIENTS;
        return sessions.size() < placesMax
                ? null
                : "the broker of " + config.socket() + " has " + sessions.size()
                        + " processes, the most that it serves (" + placesMax
                        + (user == 0 ? "" : ", and " + ROOT_CLIENTS + " of root") + "); end some";
    }

    /** A thread has failed. Where memory or threads are used up, nobody can be served well any more. */
    void onFault(Throwable problem) {
        if (problem instanceof VirtualMachineError && fault == null) {
            fault = problem;
        }
    }

    /** A client wants to know next hops; it alone is answered. */
    void findMacs(BrokerSession session, List<InetAddress> remotes) {
        macRequests.ask(Optional.of(session), remotes, System.nanoTime());
    }

    /** Refuses a user that has no right to be here. */
    void requireMayConnect(BrokerSession session) throws NicException {
        if (!config.rights().mayConnect(session.userNumber())) {
            throw new NicException(
                    Errno.EACCES,
                    "user " + session.user() + " has no line in the rights file of the broker at " + config.socket()
                            + "; add one, such as: " + session.user() + " 4720-4729");
        }
    }

    /** Makes a client of a session: gives it a number, and memory and a bell that nobody else has. */
    void welcome(BrokerSession session) throws IOException {
        RegionLayout layout = new RegionLayout(CLIENT_SLOTS, frameBytesMax());
        session.takeMemory(memoryQuota, layout.regionBytes());
        int[] bells = Bell.pair();
        int memory = -1;
        RegionPort port = null;
        try {
            memory = SharedRegion.create(layout);
            port = new RegionPort(
                    clientInfo(session), pool, SharedRegion.mapUnpopulated(layout, memory), new Bell(bells[0]), 0);
            waiter.add(port);
            RegionPort opened = port;
            boolean mayBroadcast = config.rights().mayBroadcast(session.userNumber());
            Member member = new Member(newNumber(), opened, mayBroadcast, () -> session.hangUp(opened.failure()));
            onLoop(() -> exchange.add(member));
            session.answer(welcomeMessage(member.number(), layout, info()), memory, bells[1]);
            pairs.join(member.number());
            session.become(member);
            port = null;
            synchronized (this) {
                servedCount++;
            }
            listener.onClient(member.number(), session.processId(), session.user());
        } finally {
            if (memory >= 0) {
                Libc.close(memory);
            }
            Libc.close(bells[1]);
            if (session.member() == null) {
                closeUnused(port, bells[0]);
            }
        }
    }

    private void closeUnused(RegionPort port, int bell) {
        if (port == null) {
            Libc.close(bell);
        } else {
            waiter.remove(port);
            port.close();
        }
    }

    private PortInfo clientInfo(BrokerSession session) {
        return new PortInfo(
                "the rings of process " + session.processId(),
                BrokerBackend.NAME,
                "shared memory",
                "asked for",
                info().stamps(),
                info().macAddress(),
                info().mtuBytes(),
                0);
    }

    /** Tells a client what may have changed since it was welcomed. */
    void tellState(BrokerSession session) {
        session.tellAddresses(numbers(netInterface.addresses()));
        session.tellPort(netInterface.port().failure());
    }

    private int frameBytesMax() {
        int needed = netInterface.port().info().mtuBytes() + Ethernet.HEADER_BYTES;
        return Math.min(pool.frameCapacityBytes(), needed);
    }

    private int memoryMtuBytes() {
        return Math.max(MEMORY_MTU_BYTES, info().mtuBytes());
    }

    private synchronized int newNumber() {
        Set<Integer> used = new HashSet<>();
        for (BrokerSession session : sessions) {
            if (session.member() != null) {
                used.add(session.member().number());
            }
        }
        do {
            lastNumber = lastNumber >= NUMBER_MAX ? 1 : lastNumber + 1;
        } while (used.contains(lastNumber));
        return lastNumber;
    }

    private MessageWriter welcomeMessage(int number, RegionLayout layout, PortInfo info) {
        MessageWriter message = new MessageWriter(MessageKind.WELCOME)
                .putInt(number)
                .putInt(layout.slotCount())
                .putInt(layout.frameBytesMax())
                .putInt(info.mtuBytes())
                .putInt(memoryMtuBytes())
                .putLong(info.linkRateBps())
                .putLong(info.macAddress())
                .putText(info.name())
                .putText(info.backend() + " " + info.mode());
        return AddressesMessage.writeTo(message, numbers(netInterface.addresses()));
    }

    private static List<IpAddress> numbers(List<InetAddress> addresses) {
        return addresses.stream().map(IpAddress::of).toList();
    }

    /** A session is over: takes back what its client had. */
    void end(BrokerSession session, String reason) {
        Member member = session.member();
        if (member != null) {
            onLoop(() -> exchange.remove(member));
            waiter.remove(member.port());
            member.port().close();
            pairs.leave(member.number());
        }
        session.giveMemoryBack(memoryQuota);
        macRequests.forget(Optional.of(session));
        synchronized (this) {
            sessions.remove(session);
        }
        if (member != null) {
            listener.onClientGone(member.number(), reason);
        }
    }

    /** Runs something on the loop's thread, and waits for it; at once where the loop has ended. */
    private void onLoop(Runnable work) {
        CountDownLatch done = new CountDownLatch(1);
        boolean isAsked = loop.offer(now -> {
            work.run();
            done.countDown();
        });
        boolean isInterrupted = false;
        while (isAsked && done.getCount() > 0 && !loop.awaitEnd(0)) {
            try {
                done.await(ON_LOOP_MILLIS, TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                isInterrupted = true;
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** {@return who has something, for a sentence} */
    synchronized String describe(Member owner) {
        return sessions.stream()
                .filter(session -> session.member() == owner && owner != null)
                .map(session -> " (process " + session.processId() + " of user " + session.user() + ")")
                .findFirst()
                .orElse("");
    }

    void onRefusal(BrokerSession session, String sentence) {
        listener.onRefusal(session.processId(), session.user(), sentence);
    }

    PortRights rights() {
        return config.rights();
    }

    UserTime userTime() {
        return userTime;
    }

    UserTurns userTurns() {
        return userTurns;
    }

    /** Tells once per minute that a user waits for its time. */
    void onWait(BrokerSession session, long nowNanos) {
        if (userTime.takeNotice(session.userNumber(), nowNanos)) {
            listener.onWait(
                    session.processId(),
                    session.user(),
                    "what processes of this user ask for takes more than " + config.userSharePercent()
                            + " % of a core, and waits; ask for less, or give each user more (--user-share)");
        }
    }

    UserQuota descriptorQuota() {
        return descriptorQuota;
    }

    NetInterface netInterface() {
        return netInterface;
    }

    ClientPairs pairs() {
        return pairs;
    }

    Exchange exchange() {
        return exchange;
    }

    /** Gives a client's port back to the kernel, and to other clients. */
    void releasePort(int udpPort, Member member) {
        netInterface.releasePort(udpPort);
        exchange.leavePort(udpPort, member);
    }

    // ---- ways

    /** {@return the way from a client to a host, or to another client of this broker} */
    Path resolve(BrokerSession session, int localPort, InetSocketAddress remote, long waitNanosMax) throws IOException {
        InetAddress address = remote.getAddress();
        boolean isLoopback = address.isLoopbackAddress() || address.isAnyLocalAddress();
        if (!isLoopback && !netInterface.addresses().contains(address)) {
            return netInterface.resolve(localPort, remote, waitNanosMax);
        }
        Member owner = exchange.ownerOf(remote.getPort());
        BrokerSession other = owner == null || owner == session.member() ? null : sessionOf(owner);
        if (other == null) {
            throw new ConnectException("connection refused: no process of the broker at " + config.socket()
                    + " has UDP port " + remote.getPort() + " of " + address.getHostAddress()
                    + "; processes of one host reach each other through one broker only");
        }
        pairs.introduce(session, other);
        IpAddress asked = IpAddress.of(address);
        IpAddress loopback = asked.isV6() ? IpAddress.v6(0, 1) : IpAddress.v4(0x7F00_0001);
        IpAddress to = isLoopback ? loopback : asked;
        return Path.from(SharedHostMac.of(session.member().number()), to, localPort)
                .to(SharedHostMac.of(owner.number()), to, remote.getPort());
    }

    private synchronized BrokerSession sessionOf(Member owner) {
        return sessions.stream()
                .filter(session -> session.member() == owner)
                .findFirst()
                .orElse(null);
    }

    // ---- the whole

    /** {@return what the interface's port is} */
    public PortInfo info() {
        return netInterface.port().info();
    }

    /** {@return what the loop's thread got from the scheduler} */
    public String scheduling() {
        return loop.scheduling();
    }

    /** {@return why no frame will move any more, or null while some may} */
    public String fatalFailure() {
        Throwable loopFault = loop.failure();
        if (loopFault != null) {
            return "the broker's loop ended by a fault: " + loopFault;
        }
        Throwable threadFault = fault;
        return threadFault != null ? "the broker failed: " + threadFault : end;
    }

    /** {@return whether the interface is gone, so that {@link #fatalFailure} is no fault of the broker's} */
    public boolean isInterfaceGone() {
        return end != null && loop.failure() == null && fault == null;
    }

    /** Shows what it has done so far to who looks from outside. One thread at a time, now and then. */
    public void report() {
        counterFile.report(counts());
    }

    /** {@return what it has done so far} */
    public synchronized BrokerCounts counts() {
        int clients = (int)
                sessions.stream().filter(session -> session.member() != null).count();
        return new BrokerCounts(
                clients,
                servedCount,
                pairs.madeCount(),
                exchange.deliveredCount(),
                exchange.noRoomCount(),
                exchange.sentCount(),
                exchange.unclaimedCount(),
                exchange.refusedCount());
    }

    /** Tells clients what they had no room for. */
    private void tellNews() {
        served().forEach(BrokerSession::tellNews);
    }

    private synchronized List<BrokerSession> served() {
        return sessions.stream().filter(session -> session.member() != null).toList();
    }

    /** {@return what clients have of the broker: nothing, when none is there} Any thread. */
    synchronized Ledger ledger() {
        return new Ledger()
                .add(AccountId.CLIENTS, sessions.size())
                .add(AccountId.DESCRIPTORS, descriptorQuota.takenOfAll())
                .add(AccountId.MAPPED_BYTES, memoryQuota.takenOfAll());
    }

    /** Ends all sessions and gives everything back. */
    @Override
    public void close() {
        List<BrokerSession> open;
        synchronized (this) {
            if (isClosing) {
                return;
            }
            isClosing = true;
            socket.stop();
            open = List.copyOf(sessions);
        }
        open.forEach(session -> session.hangUp("the broker ends"));
        join();
        loop.close();
        socket.close();
        counterFile.close();
    }

    /** Waits for the sessions, which need the loop to give back what they have. */
    private void join() {
        OwnTimeLimit limit = OwnTimeLimit.ofSeconds(CLOSE_SECONDS_MAX);
        boolean isInterrupted = Thread.interrupted();
        try {
            socket.join(limit);
            while (hasSessions() && limit.leftNanos() > 0) {
                TimeUnit.MILLISECONDS.sleep(1);
            }
        } catch (InterruptedException e) {
            isInterrupted = true;
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized boolean hasSessions() {
        return !sessions.isEmpty();
    }

    /** Tells clients how the interface changes. */
    private final class Changes implements InterfaceListener {
        @Override
        public void onAddresses(List<InetAddress> addresses) {
            List<IpAddress> ours = numbers(addresses);
            exchange.setAddresses(ours);
            served().forEach(session -> session.tellAddresses(ours));
        }

        @Override
        public void onMtu(int mtuBytes) {
            tell(MessageKind.MTU, () -> new MessageWriter(MessageKind.MTU).putInt(mtuBytes));
        }

        @Override
        public void onPortChanged() {
            loop.offer(now -> {});
            String failure = netInterface.port().failure();
            served().forEach(session -> session.tellPort(failure));
        }

        @Override
        public void onWaysChanged() {
            // The interface's own Ethernet address may be another.
            macRequests.ask(Optional.empty(), List.of(), System.nanoTime());
            tell(MessageKind.WAYS_CHANGED, () -> new MessageWriter(MessageKind.WAYS_CHANGED));
        }

        @Override
        public void onMacs(long localMac, Map<InetAddress, Long> remoteMacs) {
            exchange.setMac(localMac);
            Optional<BrokerSession> asker = macRequests.takeAsker(System.nanoTime());
            if (asker != null) {
                asker.ifPresent(session -> session.tellMacs(localMac, remoteMacs));
            }
        }

        @Override
        public void onReturned(long tag, InetSocketAddress remote, boolean isRefused) {
            served().forEach(session -> session.tellReturned(tag, remote, isRefused));
        }

        @Override
        public void onGone(PortEnd cause) {
            tell(MessageKind.GONE, () -> new MessageWriter(MessageKind.GONE));
            end = cause.phraseOf("interface " + info().name());
        }

        private void tell(MessageKind kind, Supplier<MessageWriter> message) {
            served().forEach(session -> session.tell(kind, message.get()));
        }
    }
}
