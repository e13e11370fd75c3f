package io.weir.transport.socket;

import io.weir.pacer.CreditShape;
import io.weir.pacer.SeededRandom;
import io.weir.transport.frame.FramePool;
import io.weir.transport.host.CloseReason;
import io.weir.transport.host.Connection;
import io.weir.transport.host.ConnectionAcceptor;
import io.weir.transport.host.ConnectionHandler;
import io.weir.transport.host.FaultListener;
import io.weir.transport.host.HostConfig;
import io.weir.transport.host.HostStack;
import io.weir.transport.node.ConfigException;
import io.weir.transport.node.PortInfo;
import io.weir.transport.node.StampSources;
import io.weir.transport.protocol.ProtocolConfig;
import io.weir.transport.protocol.ProtocolFactory;
import io.weir.transport.protocol.ProtocolId;
import io.weir.transport.protocol.credit.CreditPortConfig;
import io.weir.transport.protocol.expresspass.ExpressPassConfig;
import io.weir.transport.runtime.Backend;
import io.weir.transport.runtime.EventLoop;
import io.weir.transport.runtime.IdleMode;
import io.weir.transport.runtime.LoopTask;
import io.weir.transport.runtime.NetInterface;
import io.weir.transport.runtime.NodeBinding;
import io.weir.transport.runtime.OwnHostPort;
import io.weir.transport.runtime.ThreadTuning;
import io.weir.transport.runtime.Waiter;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.telemetry.Counters;
import io.weir.transport.wire.Ethernet;
import io.weir.transport.wire.IpAddress;
import io.weir.transport.wire.Path;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/**
 * A transport stack on one interface of this host: an event loop with its own thread (or the application's), a host
 * stack, and a port.
 *
 * <pre>{@code
 * try (Transport transport = Transport.open("eth0");
 *      WeirSocket socket = transport.connect(new InetSocketAddress("10.0.0.2", 4720), Duration.ofSeconds(1))) {
 *     socket.write(ByteBuffer.wrap(request));
 *     ...
 * }
 * }</pre>
 */
public final class Transport implements AutoCloseable {
    /** The rate assumed for a device that does not tell its own. */
    public static final long LINK_RATE_BPS_ASSUMED = 10_000_000_000L;

    static final long NO_TIMEOUT_NANOS = Long.MAX_VALUE / 4;

    private static final int EPHEMERAL_PORT_MIN = 49_152;
    private static final int EPHEMERAL_PORT_COUNT = 65_536 - EPHEMERAL_PORT_MIN;
    private static final int BACKLOG_DEFAULT = 128;
    private static final int PORT_MAX = 65_535;
    private static final int BACKLOG_MAX = 65_536;
    private static final long CLOSE_TIMEOUT_NANOS = 30_000_000_000L;
    /** How much later than asked for the last frames may leave before the loop is ended all the same. */
    private static final long DRAIN_SLACK_NANOS = 1_000_000_000L;

    private static final AtomicInteger TRANSPORT_NUMBER = new AtomicInteger();

    /** What ports want before a frame whose departure the device is to tell: 24 bytes, and even addresses. */
    private static final int STAMP_BYTES = 32;

    private final TransportConfig config;
    private final NetInterface netInterface;
    private final HostStack host;
    private final EventLoop loop;
    private final PortClaims claims;
    /** The interface's port, and the way to other transports of this process. */
    private final OwnHostPort ownHost;

    private final InterfaceChanges changes;
    private final FaultLog faultLog;
    private final SecureRandom secureRandom = new SecureRandom();
    private final AtomicInteger nextEphemeral = new AtomicInteger();
    private final WaitClock clock;
    /** What threads of the application may be waiting for; sockets leave it when their connection is over. */
    private final Set<Wakeable> waiters = ConcurrentHashMap.newKeySet();
    /** Whether the interface was deleted; written by the loop's thread. */
    private volatile boolean isGone;

    private final AtomicBoolean isClosing = new AtomicBoolean();
    /** Null until the transport is closed; written by the first thread that closes it. */
    private volatile Drain drain;
    /** Null where faults are only logged. */
    private volatile FaultListener faultListener;

    private Transport(TransportConfig config, NetInterface netInterface, FramePool pool, LongSupplier appClock)
            throws IOException {
        this.netInterface = netInterface;
        this.clock = appClock == null ? WaitClock.SYSTEM : WaitClock.of(appClock);
        this.config = config;
        List<ProtocolFactory> protocols = config.protocols().stream()
                .map(protocol -> protocol.newFactory(new SeededRandom(secureRandom.nextLong())))
                .toList();
        this.host = new HostStack(newHostConfig(), pool, protocols, secureRandom::nextLong);
        this.nextEphemeral.set(secureRandom.nextInt(EPHEMERAL_PORT_COUNT));
        this.claims = new PortClaims(netInterface, host::connectionCount);
        OwnHostPort port = new OwnHostPort(
                netInterface, pool, claims::isListening, () -> host.counters().increment(CounterId.DROP_OWN_HOST));
        String name = "weir-" + port.info().name() + "-" + TRANSPORT_NUMBER.incrementAndGet();
        List<NodeBinding> bindings = List.of(new NodeBinding(host, List.of(port)));
        Waiter waiter = netInterface.newWaiter();
        port.setWaiter(waiter);
        this.ownHost = port;
        this.loop = appClock == null
                ? new EventLoop(name, bindings, config.idleMode(), waiter, this::stop)
                : EventLoop.invokedBy(appClock, name, bindings, waiter, this::stop);
        loop.setScheduling(config.scheduling());
        this.faultLog = new FaultLog(name);
        loop.setTaskFaultListener(this::onTaskFault);
        host.setFaultListener(this::onFault);
        host.setOwnerCheck(this::requireOwner);
        // Not when a connection has ended: while it lingers, repetitions must still reach it.
        host.setForgetListener(this::onForgotten);
        this.changes = new InterfaceChanges(netInterface, host, loop, this::onGone);
        netInterface.follow(changes);
        ownHost.join();
    }

    private void requireOwner() {
        boolean isOwner = loop.isInCycle() || (loop.isInvoker() && loop.isLoopThread());
        if (!isOwner && !loop.isClosed()) {
            throw new IllegalStateException(
                    "a Connection belongs to the thread that runs the loop " + loop.name() + ", and the thread "
                            + Thread.currentThread().getName()
                            + " is not in a cycle of it; use it within handlers or Transport.execute, or a WeirSocket instead");
        }
    }

    /** Tells those who wait for a connection; those that there were have been told. Loop thread. */
    private void onGone() {
        isGone = true;
        waiters.forEach(Wakeable::wake);
    }

    private void onForgotten(Connection connection) {
        claims.releaseIfUnused(connection.path().localPort());
        Drain ending = drain;
        if (ending != null) {
            ending.onForgotten(host.nowNanos());
        }
    }

    /** The loop ends: on whatever thread ends it, with nobody in a cycle. */
    private void stop() {
        try {
            host.close();
        } finally {
            try {
                claims.releaseAll();
            } finally {
                waiters.forEach(Wakeable::wake);
            }
        }
    }

    private void onTaskFault(Throwable problem) {
        host.counters().increment(CounterId.CALLBACK_FAULTS);
        onFault(null, problem);
    }

    private void onFault(Connection connection, Throwable problem) {
        faultLog.onFault(connection, problem);
        FaultListener told = faultListener;
        if (told != null) {
            try {
                told.onFault(connection, problem);
            } catch (RuntimeException | AssertionError e) {
                faultLog.onFault(connection, e);
            }
        }
    }

    /**
     * Sets who is told, on the loop's thread, what handlers, acceptors, listeners and tasks did wrong. Each kind of
     * fault is logged once in any case. Null for nobody.
     */
    public void setFaultListener(FaultListener listener) {
        faultListener = listener;
    }

    private HostConfig newHostConfig() {
        PortInfo info = netInterface.port().info();
        long linkRateBps = config.linkRateBps() > 0
                ? config.linkRateBps()
                : info.linkRateBps() > 0 ? info.linkRateBps() : LINK_RATE_BPS_ASSUMED;
        CreditShape shape = creditsOf(config).creditShape(info.mtuBytes() + Ethernet.FRAMING_BYTES);
        List<IpAddress> addresses =
                netInterface.addresses().stream().map(IpAddress::of).toList();
        boolean isStamped = info.stamps().transmit() == StampSources.Source.HARDWARE;
        return HostConfig.builder(info.macAddress(), addresses, linkRateBps)
                .mtuBytes(info.mtuBytes())
                .credits(CreditPortConfig.exact(linkRateBps, shape, config.creditlessPpm(), 2))
                .slack(config.slack())
                .pauses(config.pauses())
                .connections(config.connectionsMax(), config.backlogMax())
                .peers(config.peers())
                .streams(config.streams().within(Runtime.getRuntime().maxMemory() / 2))
                .timers(config.timers())
                .liveness(config.liveness())
                .stamping(config.stamping())
                .creditFramesMax(config.creditFramesMax())
                .portRateBps(info.linkRateBps())
                .headroomBytes(isStamped ? STAMP_BYTES : 0)
                .build();
    }

    /** The link meters credits of all flows, by the shape that ExpressPass gives them here. */
    static ExpressPassConfig creditsOf(TransportConfig config) {
        return config.protocols().stream()
                .filter(ExpressPassConfig.class::isInstance)
                .map(ExpressPassConfig.class::cast)
                .findFirst()
                .orElse(ExpressPassConfig.weir());
    }

    /** {@return a transport on an interface of this host, set up as most users want it} */
    public static Transport open(String interfaceName) throws IOException {
        return open(interfaceName, TransportConfig.DEFAULT);
    }

    /**
     * {@return a transport on an interface of this host}
     *
     * @throws IOException if the interface cannot be opened; the message has the reason and the remedy, and nothing has
     *     been changed
     */
    public static Transport open(String interfaceName, TransportConfig config) throws IOException {
        Objects.requireNonNull(interfaceName, "interfaceName is null; name an interface of this host, such as eth0");
        Objects.requireNonNull(config, "config is null; give TransportConfig.DEFAULT");
        RuntimeCheck.requireAgronaWorks();
        ThreadTuning.find().requirePossible(config.scheduling());
        Backend backend = Backends.find(config.backend());
        WarmUp.play(config);
        Backend.Opened opened = backend.open(interfaceName, config.frameCount(), config.addresses());
        return open(opened.netInterface(), opened.pool(), config);
    }

    /** {@return a transport on an interface that is open already; it owns the interface's port from now on} */
    public static Transport open(NetInterface netInterface, FramePool pool, TransportConfig config) throws IOException {
        return open(netInterface, pool, config, null);
    }

    /**
     * {@return a transport on an interface that is open already, by a clock that the application has}
     *
     * <p>The mode must be {@link IdleMode#INVOKER}. The loop and every blocking call take their time from the clock,
     * which is read often and must not go back; the thread sleeps by the interface's waiter. So time-outs can be played
     * in virtual time.
     *
     * @param clock nanoseconds, from 0 on, or null for the machine's
     */
    public static Transport open(NetInterface netInterface, FramePool pool, TransportConfig config, LongSupplier clock)
            throws IOException {
        Objects.requireNonNull(netInterface, "netInterface is null; open one, or name an interface");
        Transport transport = null;
        try {
            Objects.requireNonNull(pool, "pool is null; give the one that the interface was opened with");
            Objects.requireNonNull(config, "config is null; give TransportConfig.DEFAULT");
            if (clock != null && config.idleMode() != IdleMode.INVOKER) {
                throw new ConfigException("idleMode=" + config.idleMode()
                        + " sleeps by the machine's clock; with a clock of the application use INVOKER");
            }
            ThreadTuning.find().requirePossible(config.scheduling());
            transport = new Transport(config, netInterface, pool, clock);
            transport.loop.start();
            return transport;
        } catch (Throwable e) {
            // An Error too: the interface must not stay taken.
            if (transport == null) {
                netInterface.port().close();
            } else {
                transport.loop.close();
            }
            throw e;
        }
    }

    // ---- sockets

    /**
     * Connects to a listening transport, by the protocol that this one prefers: see {@link #connect(InetSocketAddress,
     * Duration, ProtocolId)}.
     */
    public WeirSocket connect(InetSocketAddress remote, Duration timeout) throws IOException {
        return connect(remote, timeout, preferred());
    }

    /**
     * Connects to a listening transport.
     *
     * @param timeout how long to wait; zero for as long as the stack tries (10 s by default)
     * @param protocol one that this transport speaks; where the peer does not, the peer chooses among those that both
     *     speak, and {@link WeirSocket#protocol} says which
     * @throws java.net.ConnectException if nobody listens there, or nobody answers
     * @throws java.net.NoRouteToHostException if there is no way there, or the network says that the host cannot be
     *     reached
     * @throws java.net.SocketTimeoutException if the time is over first
     */
    public WeirSocket connect(InetSocketAddress remote, Duration timeout, ProtocolId protocol) throws IOException {
        long deadlineNanos = clock.nanoTime() + timeoutNanos(timeout);
        requireUsable(remote);
        WaitPoint.requireMayWait(loop, "connect");
        WeirSocket socket = new WeirSocket(this);
        boolean isConnected = false;
        try {
            socket.attach(open(remote, socket.events(), protocol, deadlineNanos));
            socket.awaitConnected(remote, deadlineNanos);
            isConnected = true;
            return socket;
        } finally {
            if (!isConnected) {
                // Out of time, or interrupted: nobody will ever hold this connection.
                socket.abandon();
            }
        }
    }

    private static void requireUsable(InetSocketAddress remote) throws IOException {
        Objects.requireNonNull(remote, "remote is null; give the address and port of a listening transport");
        if (remote.isUnresolved()) {
            throw new UnknownHostException(
                    remote.getHostString() + " has no address; is the name right, and does DNS answer?");
        }
        requirePort(remote.getPort());
    }

    private static void requirePort(int port) {
        if (port < 1 || port > PORT_MAX) {
            throw new IllegalArgumentException("port=" + port + " is outside 1.." + PORT_MAX + "; give one within");
        }
    }

    /** {@return a socket that listens on {@code port}, with room for 128 connections nobody has taken} */
    public WeirServerSocket listen(int port) throws IOException {
        return listen(port, BACKLOG_DEFAULT);
    }

    /**
     * {@return a socket that listens on {@code port}}
     *
     * @param backlog how many connections may wait to be taken
     * @throws BindException if the port is in use
     */
    public WeirServerSocket listen(int port, int backlog) throws IOException {
        if (backlog < 1 || backlog > BACKLOG_MAX) {
            throw new IllegalArgumentException("backlog=" + backlog + " is outside 1.." + BACKLOG_MAX
                    + "; connections that nobody takes need room each");
        }
        WeirServerSocket socket = new WeirServerSocket(this, port, backlog);
        accept(port, socket::onIncoming);
        waiters.add(socket);
        return socket;
    }

    // ---- handlers that run to completion on the loop's thread

    /**
     * Opens a connection by the protocol that this transport prefers: see {@link #connect(InetSocketAddress,
     * ConnectionHandler, ProtocolId)}.
     */
    public Connection connect(InetSocketAddress remote, ConnectionHandler handler) throws IOException {
        return connect(remote, handler, preferred());
    }

    /**
     * Opens a connection whose handler runs on the loop's thread; it hears how the opening goes.
     *
     * @param protocol one that this transport speaks; where the peer does not, the peer chooses among those that both
     *     speak, and {@link Connection#protocol} says which
     * @return the connection, which belongs to the loop's thread
     */
    public Connection connect(InetSocketAddress remote, ConnectionHandler handler, ProtocolId protocol)
            throws IOException {
        Objects.requireNonNull(handler, "handler is null; give one that is told how the opening goes");
        requireUsable(remote);
        loop.stopSharing();
        return open(remote, handler, protocol, clock.nanoTime() + NO_TIMEOUT_NANOS);
    }

    /**
     * Opens a connection from a port that the application chooses, as {@link #connect(InetSocketAddress,
     * ConnectionHandler)} does from one that nobody uses.
     *
     * @throws BindException if the port is in use
     */
    public Connection connect(InetSocketAddress remote, int localPort, ConnectionHandler handler) throws IOException {
        Objects.requireNonNull(handler, "handler is null; give one that is told how the opening goes");
        requireUsable(remote);
        requirePort(localPort);
        loop.stopSharing();
        requireAble(preferred());
        claims.claimForConnection(localPort, true);
        return openFrom(localPort, remote, handler, preferred(), clock.nanoTime() + NO_TIMEOUT_NANOS);
    }

    /**
     * Opens a connection as {@link #connect(InetSocketAddress, ConnectionHandler)} does, if that needs no waiting. On
     * the loop's thread alone, where that call would stop the loop until the kernel or the neighbour has answered.
     *
     * @return the connection, or null if the way to {@code remote} has to be asked for
     */
    public Connection tryConnect(InetSocketAddress remote, ConnectionHandler handler) throws IOException {
        Objects.requireNonNull(handler, "handler is null; give one that is told how the opening goes");
        requireUsable(remote);
        requireOwner();
        requireAble(preferred());
        int localPort = claimEphemeralPort();
        Connection connection = null;
        try {
            Path own = ownHost.pathTo(localPort, remote);
            Path path = own != null ? own : netInterface.knownPath(localPort, remote);
            if (path != null) {
                connection = begin(path, preferred(), handler, NO_TIMEOUT_NANOS);
            }
            return connection;
        } finally {
            if (connection == null) {
                claims.abandon(localPort);
            }
        }
    }

    private ProtocolId preferred() {
        return config.protocols().get(0).id();
    }

    private Connection open(
            InetSocketAddress remote, ConnectionHandler handler, ProtocolId protocol, long deadlineNanos)
            throws IOException {
        requireAble(protocol);
        return openFrom(claimEphemeralPort(), remote, handler, protocol, deadlineNanos);
    }

    private void requireAble(ProtocolId protocol) throws IOException {
        requireSpoken(protocol);
        requireRunning();
        if (changes.isMtuTooSmall()) {
            throw Failures.ofUse(CloseReason.PORT_FAILED, null);
        }
    }

    /** From a port that was claimed for it, and is given back if it fails. */
    private Connection openFrom(
            int localPort, InetSocketAddress remote, ConnectionHandler handler, ProtocolId protocol, long deadlineNanos)
            throws IOException {
        try {
            Path own = ownHost.pathTo(localPort, remote);
            long leftNanos = Math.max(0, deadlineNanos - clock.nanoTime());
            Path path = own != null ? own : netInterface.resolve(localPort, remote, leftNanos);
            leftNanos = Math.max(0, deadlineNanos - clock.nanoTime());
            return begin(path, protocol, handler, leftNanos);
        } catch (Throwable e) {
            claims.abandon(localPort);
            throw e;
        }
    }

    private Connection begin(Path path, ProtocolId protocol, ConnectionHandler handler, long waitNanosMax)
            throws IOException {
        Connection connection = call(now -> connectHost(path, protocol, handler), waitNanosMax);
        if (connection == null) {
            throw new SocketException("too many connections: " + host.config().connectionsMax()
                    + " are open; raise connectionsMax or close some");
        }
        return connection;
    }

    /** Loop thread. */
    private Connection connectHost(Path path, ProtocolId protocol, ConnectionHandler handler) {
        Connection connection = host.connect(path, protocol, handler);
        if (connection != null) {
            claims.onConnection(path.localPort());
        }
        return connection;
    }

    private void requireSpoken(ProtocolId protocol) {
        Objects.requireNonNull(protocol, "protocol is null; name one of TransportConfig.protocols");
        if (config.protocol(protocol).isEmpty()) {
            List<String> words = config.protocols().stream()
                    .map(spoken -> spoken.id().word())
                    .toList();
            throw new IllegalArgumentException("this transport speaks " + String.join(", ", words) + " and not "
                    + protocol.word() + "; add it to TransportConfig.protocols");
        }
    }

    /**
     * Offers connections to {@code port} to an acceptor that runs on the loop's thread.
     *
     * @throws BindException if the port is in use
     */
    public void listen(int port, ConnectionAcceptor acceptor) throws IOException {
        Objects.requireNonNull(acceptor, "acceptor is null; give one that decides about connections");
        loop.stopSharing();
        accept(port, acceptor);
    }

    private void accept(int port, ConnectionAcceptor acceptor) throws IOException {
        requirePort(port);
        requireRunning();
        boolean isNew = claims.claimForListening(port);
        boolean isListening = false;
        try {
            isListening = call(now -> host.listen(port, acceptor));
        } finally {
            if (!isListening) {
                claims.abandonListening(port, isNew);
            }
        }
        if (!isListening) {
            throw new BindException("port " + port + " is listened on by the host's stack itself");
        }
    }

    /** Accepts no more connections on a port; those that are open stay open. */
    public void stopListening(int port) {
        executePrepared(prepare(now -> {
            host.stopListening(port);
            claims.endListening(port);
        }));
    }

    // ---- the loop

    /** {@return work done in one cycle of the loop; invoker mode only, on the thread that runs the loop} */
    public int runOnce() {
        return loop.runOnce();
    }

    /** {@return the loop, for its state and for tasks of one's own} */
    public EventLoop loop() {
        return loop;
    }

    /**
     * Runs a task with all that belongs to the loop: at once on the loop's thread, else in the next cycle. A thread
     * that waits in a blocking call may be the one that runs the cycle. An exception that the task throws goes to the
     * listener for faults, not to the caller; once the loop has ended, {@link LoopTask#onLoopEnded} is called in place
     * of the task.
     *
     * @throws java.util.concurrent.RejectedExecutionException if the transport has ended, or 65,536 tasks wait for
     *     longer than 5 s
     */
    public void execute(LoopTask task) {
        Objects.requireNonNull(task, "task is null; give something to do");
        LoopTask prepared = prepare(task);
        try {
            if (loop.runNow(prepared)) {
                return;
            }
        } catch (VirtualMachineError e) {
            throw e;
        } catch (RuntimeException | Error e) {
            onTaskFault(e);
            return;
        }
        loop.execute(prepared);
    }

    /** {@return a task for {@link #executePrepared}, made once for many runs} */
    LoopTask prepare(LoopTask task) {
        return new HostTask(host, task);
    }

    /** As {@link #execute}, for what is no loss once the loop has ended. */
    void executePrepared(LoopTask task) {
        if (!loop.runNow(task)) {
            loop.offer(task);
        }
    }

    private <T> T call(LoopCall<T> work) throws IOException {
        return call(work, NO_TIMEOUT_NANOS);
    }

    private <T> T call(LoopCall<T> work, long waitNanosMax) throws IOException {
        LoopAnswer<T> answer = new LoopAnswer<>(work, this);
        executePrepared(prepare(answer));
        return answer.await(waitNanosMax);
    }

    void requireRunning() throws IOException {
        IOException end = end();
        if (end != null) {
            throw end;
        }
    }

    /** {@return why nothing can be waited for any more, or null} */
    IOException end() {
        Throwable fault = loop.failure();
        if (fault != null) {
            return ended(fault);
        }
        if (isGone) {
            return Failures.ofUse(CloseReason.PORT_FAILED, null);
        }
        return loop.isClosed() || isClosing.get() ? new SocketException("Transport closed") : null;
    }

    /** {@return that the transport ended by this} */
    SocketException ended(Throwable fault) {
        return Failures.because("Transport ended by a fault: " + fault, fault);
    }

    WaitClock clock() {
        return clock;
    }

    /** Something waits, or may, until the transport ends. */
    void register(Wakeable waiter) {
        waiters.add(waiter);
    }

    void forget(Wakeable waiter) {
        waiters.remove(waiter);
    }

    private int claimEphemeralPort() throws IOException {
        int claimed = claims.reuse();
        if (claimed > 0) {
            return claimed;
        }
        BindException last = null;
        for (int tries = 0; tries < EPHEMERAL_PORT_COUNT; tries++) {
            int port = EPHEMERAL_PORT_MIN + Math.floorMod(nextEphemeral.getAndIncrement(), EPHEMERAL_PORT_COUNT);
            try {
                claims.claimForConnection(port, false);
                return port;
            } catch (BindException e) {
                last = e;
            }
        }
        throw last;
    }

    // ---- queries

    /** {@return what the port is and how it came to be so} */
    public PortInfo portInfo() {
        return netInterface.port().info();
    }

    /** {@return the addresses that connections leave from and come to, now} */
    public List<InetAddress> addresses() {
        return netInterface.addresses();
    }

    /** {@return what the loop's thread got from the scheduler, and what it did not get and why} */
    public String scheduling() {
        return loop.scheduling();
    }

    /** {@return what the host counts; any thread may read} */
    public Counters counters() {
        return host.counters();
    }

    /**
     * {@return the parameters that this end has for a connection's protocol}
     *
     * @param protocol one that this transport speaks
     */
    public ProtocolConfig parametersOf(ProtocolId protocol) {
        requireSpoken(protocol);
        return config.protocol(protocol).orElseThrow();
    }

    /** {@return the host's stack, which belongs to the loop's thread} */
    public HostStack hostStack() {
        return host;
    }

    /** {@return the host's configuration, as it came out of the transport's and the interface's} */
    public HostConfig hostConfig() {
        return host.config();
    }

    long closeTimeoutNanos() {
        return CLOSE_TIMEOUT_NANOS;
    }

    static long timeoutNanos(Duration timeout) {
        Objects.requireNonNull(timeout, "timeout is null; give Duration.ZERO for none");
        if (timeout.isNegative()) {
            throw new IllegalArgumentException(
                    "timeout=" + timeout + " is negative; give more than zero, or zero for none");
        }
        return timeout.isZero() ? NO_TIMEOUT_NANOS : nanosOf(timeout);
    }

    /** Longer ones than 73 years count as that. */
    private static long nanosOf(Duration duration) {
        return duration.toSeconds() >= NO_TIMEOUT_NANOS / 1_000_000_000L ? NO_TIMEOUT_NANOS : duration.toNanos();
    }

    // ---- the end

    /**
     * Ends every connection in order and gives back the interface: what was written is still delivered, for the time
     * that the configuration says ({@link TransportConfig#drainNanosMax}). Peers are told of connections that have not
     * ended by then by a reset.
     */
    @Override
    public void close() {
        close(Duration.ofNanos(config.drainNanosMax()));
    }

    /**
     * Ends every connection in order and gives back the interface. From the first call on nothing new is accepted,
     * connected or written, and blocking calls end; what has come can still be read. It waits until all is given back:
     * {@code drainTime} and 6 s more at most. From within a handler or task it does not wait: the loop goes on until
     * then, and ends. In invoker mode the calling thread runs the rest of the loop's cycles.
     *
     * @param drainTime how long what was written may take to be delivered; zero to reset every connection
     */
    public void close(Duration drainTime) {
        Objects.requireNonNull(drainTime, "drainTime is null; give Duration.ZERO to close at once");
        if (drainTime.isNegative()) {
            throw new IllegalArgumentException(
                    "drainTime=" + drainTime + " is negative; give zero to close at once, or more");
        }
        long drainNanos = nanosOf(drainTime);
        if (isClosing.compareAndSet(false, true)) {
            waiters.forEach(Wakeable::wake);
            drain = new Drain(loop, host, drainNanos);
            try {
                executePrepared(prepare(drain));
            } catch (RejectedExecutionException e) {
                // So many tasks wait that none more fits.
                loop.close();
            }
        }
        if (loop.isInCycle()) {
            return;
        }
        awaitDrained(clock.nanoTime() + drainNanos + DRAIN_SLACK_NANOS);
        loop.close();
    }

    private void awaitDrained(long deadlineNanos) {
        long leftNanos = deadlineNanos - clock.nanoTime();
        while (leftNanos > 0 && !loop.isClosed() && loop.failure() == null) {
            if (loop.isInvoker()) {
                loop.runOnceToClose(leftNanos);
            } else {
                loop.awaitEnd(leftNanos);
            }
            leftNanos = deadlineNanos - clock.nanoTime();
        }
    }
}
