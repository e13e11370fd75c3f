package io.weir.transport.socket;

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
import io.weir.transport.protocol.ProtocolConfig;
import io.weir.transport.protocol.ProtocolId;
import io.weir.transport.runtime.Backend;
import io.weir.transport.runtime.EventLoop;
import io.weir.transport.runtime.IdleMode;
import io.weir.transport.runtime.ListenCheck;
import io.weir.transport.runtime.LoopTask;
import io.weir.transport.runtime.NetInterface;
import io.weir.transport.runtime.PortConfig;
import io.weir.transport.runtime.ThreadTuning;
import io.weir.transport.telemetry.Counters;
import io.weir.transport.telemetry.GaugeId;
import io.weir.transport.telemetry.Ledger;
import io.weir.transport.wire.IpAddress;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.IntUnaryOperator;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * A transport stack on one interface of this host: event loops with their threads (or one of the
 * application's), each with a host's stack and a port for one or several of the interface's queues.
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

    private static final int BACKLOG_DEFAULT = 128;
    /** Ways that are asked for at the same time: each may take seconds, if the neighbour is silent. */
    private static final int WAY_THREADS = 8;

    private static final int WAY_IDLE_SECONDS = 5;

    private static final int BACKLOG_MAX = 65_536;
    private static final AtomicInteger TRANSPORT_NUMBER = new AtomicInteger();

    private final TransportConfig config;
    private final NetInterface netInterface;
    private final TransportLoops loops;
    private final PortClaims claims;
    /** Whether the transport listens on a port; one object, by which its loops know each other. */
    private final ListenCheck listening = this::isListening;

    private final Listeners listeners;
    private final Opener opener;
    /** Asks for unknown ways of openings that nobody waits for. Its threads end when they have nothing to do. */
    private final ThreadPoolExecutor ways;

    private final TransportCounters counterFile;
    /** The sum of what the loops count there. */
    private final Counters counters;

    private final FaultLog faultLog;
    private final SecureRandom secureRandom = new SecureRandom();
    private final WaitClock clock;
    private final TransportEnd end;

    private Transport(
            TransportConfig config, List<Backend.Opened> queues, TransportCounters counterFile, LongSupplier appClock)
            throws IOException {
        this.netInterface = queues.get(0).netInterface();
        this.clock = appClock == null ? WaitClock.SYSTEM : WaitClock.of(appClock);
        this.config = config;
        this.counterFile = counterFile;
        String name = "weir-" + netInterface.port().info().name() + "-" + TRANSPORT_NUMBER.incrementAndGet();
        this.faultLog = new FaultLog(name, counterFile);
        this.loops = TransportLoops.of(this, name, queues, appClock);
        this.claims = new PortClaims(
                netInterface,
                loops.all().stream()
                        .<IntUnaryOperator>map(loop -> loop.host()::connectionCount)
                        .toList());
        this.end = new TransportEnd(loops, claims, clock, config.reopen(), counterFile);
        LocalAddresses addresses = new LocalAddresses(netInterface);
        this.ways = newWays(name);
        this.listeners = new Listeners(loops, claims, end, addresses);
        this.opener = new Opener(netInterface, loops, claims, addresses, clock, secureRandom.nextInt());
        this.counters = Counters.sumOf(
                loops.all().stream().map(loop -> loop.host().counters()).toList());
        if (netInterface instanceof ReopeningInterface reopening) {
            reopening.setLoops(loops(), end::onReturned);
        }
        loops.follow(netInterface);
    }

    private static ThreadPoolExecutor newWays(String name) {
        ThreadPoolExecutor made = new ThreadPoolExecutor(
                WAY_THREADS, WAY_THREADS, WAY_IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), work -> {
                    Thread thread = new Thread(work, name + "-ways");
                    thread.setDaemon(true);
                    return thread;
                });
        made.allowCoreThreadTimeOut(true);
        return made;
    }

    private boolean isListening(IpAddress local, int port) {
        return claims.isListening(local, port);
    }

    // ---- what its loops need

    TransportConfig config() {
        return config;
    }

    PortClaims claims() {
        return claims;
    }

    /** {@return where its loops count} */
    TransportCounters counterFile() {
        return counterFile;
    }

    ListenCheck listening() {
        return listening;
    }

    SecureRandom secureRandom() {
        return secureRandom;
    }

    /** {@return how it ends, and whether it has; a loop that is made finds none yet} */
    TransportEnd end() {
        return end;
    }

    FaultLog faultLog() {
        return faultLog;
    }

    /**
     * Sets who is told, on the concerned loop's thread, what handlers, acceptors, listeners and tasks did wrong. Each
     * kind of fault is logged once in any case. Null for nobody.
     */
    public void setFaultListener(FaultListener listener) {
        faultLog.setListener(listener);
    }

    /**
     * Sets who is told, on a loop's thread, that the interface is gone or that its broker has ended, and that it has
     * returned. Null for nobody. {@link #interfaceEnd} says what was before.
     */
    public void setInterfaceEndListener(InterfaceEndListener listener) {
        end.setListener(listener);
    }

    /**
     * {@return why no frame moves and no connection can be opened: {@link
     * io.weir.transport.host.CloseReason#INTERFACE_DELETED} or {@link
     * io.weir.transport.host.CloseReason#BROKER_ENDED}; null while the interface is there} Any thread.
     */
    public CloseReason interfaceEnd() {
        return end.interfaceEnd();
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
        Backend backend = Backends.onClassPath().find(config.backend(), interfaceName, System::getProperty);
        prepare(backend, interfaceName, config);
        // The thread of an application's own loop cannot run several.
        int loopCount = config.queueCount() > 1 || config.idleMode() == IdleMode.INVOKER
                ? config.queueCount()
                : PortConfig.loopCount(System::getProperty);
        return open(backend, interfaceName, loopCount, config, null);
    }

    /** What cannot be opened is refused at once, not after a second in which the stack was played. */
    static void prepare(Backend backend, String interfaceName, TransportConfig config) throws IOException {
        backend.requireOpenable(interfaceName);
        WarmUp.play(config);
    }

    /** {@return a transport; {@code clock} as in {@link #open(NetInterface, FramePool, TransportConfig)}} */
    static Transport open(
            Backend backend, String interfaceName, int loopCount, TransportConfig config, LongSupplier clock)
            throws IOException {
        PortConfig port = config.port().orProperties(System::getProperty);
        if (config.reopen()) {
            return open(
                    ReopeningInterface.open(backend, interfaceName, loopCount, port, config.addresses()),
                    config,
                    clock);
        }
        return open(
                loopCount == 1
                        ? List.of(backend.open(interfaceName, port, config.addresses()))
                        : backend.openQueues(interfaceName, loopCount, port, config.addresses()),
                config,
                clock);
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
        if (pool == null) {
            netInterface.port().close();
            throw new NullPointerException("pool is null; give the one that the interface was opened with");
        }
        return open(List.of(new Backend.Opened(netInterface, pool)), config, clock);
    }

    /**
     * {@return a transport on an interface that is open already, with a loop for each of its queues; it owns their
     * ports from now on}
     *
     * @param queues what {@link Backend#openQueues} gives, each with its own pool
     */
    public static Transport open(List<Backend.Opened> queues, TransportConfig config) throws IOException {
        return open(queues, config, null);
    }

    private static Transport open(List<Backend.Opened> queues, TransportConfig config, LongSupplier clock)
            throws IOException {
        Transport transport = null;
        TransportCounters counters = TransportCounters.none(null);
        try {
            Objects.requireNonNull(config, "config is null; give TransportConfig.DEFAULT");
            if (clock != null && config.idleMode() != IdleMode.INVOKER) {
                throw new ConfigException("idleMode=" + config.idleMode()
                        + " sleeps by the machine's clock; with a clock of the application use INVOKER");
            }
            if (config.reopen() && !(queues.get(0).netInterface() instanceof ReopeningInterface)) {
                throw new ConfigException(
                        "reopen: an interface that the application has opened cannot be opened again; give its name");
            }
            ThreadTuning.find().requirePossible(config.scheduling());
            PortInfo port = queues.get(0).netInterface().port().info();
            counters = clock == null
                    ? TransportCounters.open(port, config, queues.size(), System::getProperty)
                    : TransportCounters.none(port);
            transport = new Transport(config, queues, counters, clock);
            TransportRecorder.onPort(port);
            for (TransportLoop loop : transport.loops) {
                loop.loop().start();
            }
            counters.tellByJmx(transport.portInfo(), transport.counters);
            return transport;
        } catch (Throwable e) {
            // An Error too: the interface must not stay taken.
            counters.close();
            if (transport == null) {
                queues.forEach(queue -> queue.netInterface().port().close());
            } else {
                transport.loops.forEach(loop -> loop.loop().close());
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
        long deadlineNanos = clock.nanoTime() + WaitClock.timeoutNanos(timeout);
        Opener.requireUsable(remote);
        loops.forEach(loop -> WaitPoint.requireMayWait(loop.loop(), "connect"));
        TransportLoop home = loops.forNext();
        WeirSocket socket = new WeirSocket(home);
        boolean isConnected = false;
        try {
            socket.attach(opener.open(home, remote, socket.loopSide(), protocol, deadlineNanos));
            socket.loopSide().awaitConnected(remote, deadlineNanos);
            isConnected = true;
            return socket;
        } finally {
            if (!isConnected) {
                // Out of time, or interrupted: nobody will ever hold this connection.
                socket.abandon();
            }
        }
    }

    /**
     * Connects to a listening transport, by the protocol that this one prefers, and waits for nothing. Any thread, also
     * in a handler, listener or task. What depends on the future runs in a cycle of the loop unless it says otherwise,
     * perhaps on the calling thread or on one that waits for the loop, and must not block there.
     *
     * @return the socket, or the exceptions of {@link #connect(InetSocketAddress, Duration)} but for its time-out. To
     *     end it otherwise, as {@code cancel} does, gives the connection up
     */
    public CompletableFuture<WeirSocket> connectAsync(InetSocketAddress remote) {
        return begin(remote, null, preferred());
    }

    /**
     * As {@link #connectAsync(InetSocketAddress)}, by a protocol.
     *
     * @param protocol as for {@link #connect(InetSocketAddress, Duration, ProtocolId)}
     */
    public CompletableFuture<WeirSocket> connectAsync(InetSocketAddress remote, ProtocolId protocol) {
        Objects.requireNonNull(protocol, "protocol is null; name one of TransportConfig.protocols");
        return begin(remote, null, protocol);
    }

    /** As {@link #connectAsync(InetSocketAddress)}, from a local port that the application has bound. */
    public CompletableFuture<WeirSocket> connectAsync(InetSocketAddress remote, LocalPort from) {
        Objects.requireNonNull(from, "from is null; bind a port first, or leave it to the transport");
        return begin(remote, from, preferred());
    }

    private CompletableFuture<WeirSocket> begin(InetSocketAddress remote, LocalPort from, ProtocolId protocol) {
        try {
            Opener.requireUsable(remote);
        } catch (IOException e) {
            return CompletableFuture.failedFuture(e);
        }
        AsyncOpening opening = new AsyncOpening(opener, loops.forNext(), remote, protocol, ways);
        return from == null ? opening.begin() : opening.beginFrom(from);
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
        PortClaims.requireValid(port);
        return listen(new InetSocketAddress(port), backlog);
    }

    /**
     * {@return a socket that listens at one address of this transport} Connections to others are refused.
     *
     * @param local the address, the wildcard for all, loopback for this process; port 0 for one that nobody uses
     * @param backlog how many connections may wait to be taken
     * @throws BindException if the port is in use, or the address is not this transport's
     */
    public WeirServerSocket listen(InetSocketAddress local, int backlog) throws IOException {
        if (backlog < 1 || backlog > BACKLOG_MAX) {
            throw new IllegalArgumentException("backlog=" + backlog + " is outside 1.." + BACKLOG_MAX
                    + "; connections that nobody takes need room each");
        }
        WeirServerSocket socket = new WeirServerSocket(loops.get(0), backlog);
        socket.attach(listeners.listen(local, home -> connection -> socket.onIncoming(home, connection)));
        end.register(socket);
        return socket;
    }

    /**
     * {@return a local port for one connection: for {@link #connect(InetSocketAddress, LocalPort, Duration)}}
     *
     * @param local the address to connect from, the wildcard for what the way there says; port 0 for one that nobody
     *     uses
     * @throws BindException if the port is in use, or the address is not this transport's
     */
    public LocalPort bind(InetSocketAddress local) throws IOException {
        return opener.bind(this, local);
    }

    /**
     * Connects from a local port that the application has bound, by the protocol that this transport prefers: as {@link
     * #connect(InetSocketAddress, Duration)}. Port and addresses decide which loop the connection belongs to.
     */
    public WeirSocket connect(InetSocketAddress remote, LocalPort from, Duration timeout) throws IOException {
        long deadlineNanos = clock.nanoTime() + WaitClock.timeoutNanos(timeout);
        Opener.requireUsable(remote);
        loops.forEach(loop -> WaitPoint.requireMayWait(loop.loop(), "connect"));
        AtomicReference<WeirSocket> made = new AtomicReference<>();
        Function<TransportLoop, ConnectionHandler> handlers = home -> {
            made.set(new WeirSocket(home));
            return made.get().loopSide();
        };
        boolean isConnected = false;
        try {
            Connection connection = opener.openFromPort(loops.forNext(), false, remote, from, handlers, deadlineNanos);
            WeirSocket socket = made.get();
            socket.attach(connection);
            socket.loopSide().awaitConnected(remote, deadlineNanos);
            isConnected = true;
            return socket;
        } finally {
            if (!isConnected && made.get() != null) {
                made.get().abandon();
            }
        }
    }

    // ---- handlers that run to completion on the thread of their connection's loop

    /**
     * Opens a connection by the protocol that this transport prefers: see {@link #connect(InetSocketAddress,
     * ConnectionHandler, ProtocolId)}.
     */
    public Connection connect(InetSocketAddress remote, ConnectionHandler handler) throws IOException {
        return connect(remote, handler, preferred());
    }

    /**
     * Opens a connection whose handler runs on its loop's thread; it is told how the opening goes. From within a
     * handler or task, or on the thread that runs a loop in invoker mode, it belongs to the same loop, else loops take
     * turns.
     *
     * @param protocol one that this transport speaks; where the peer does not, the peer chooses among those that both
     *     speak, and {@link Connection#protocol} says which
     * @return the connection, which belongs to its loop's thread
     */
    public Connection connect(InetSocketAddress remote, ConnectionHandler handler, ProtocolId protocol)
            throws IOException {
        Objects.requireNonNull(handler, "handler is null; give one that is told how the opening goes");
        Opener.requireUsable(remote);
        loops.stopSharing();
        return opener.open(loops.forNext(), remote, handler, protocol, clock.nanoTime() + WaitClock.NO_TIMEOUT_NANOS);
    }

    /**
     * Opens a connection from a port that the application chooses, as {@link #connect(InetSocketAddress,
     * ConnectionHandler)} does from one that nobody uses. Port and addresses decide which loop it belongs to.
     *
     * @throws BindException if the port is in use
     */
    public Connection connect(InetSocketAddress remote, int localPort, ConnectionHandler handler) throws IOException {
        Opener.requireUsable(remote);
        PortClaims.requireValid(localPort);
        Objects.requireNonNull(handler, "handler is null; give one that is told how the opening goes");
        // Does nothing once a connection has the port.
        try (LocalPort from = bind(new InetSocketAddress(localPort))) {
            return openFromPort(loops.forNext(), false, remote, from, handler);
        }
    }

    /**
     * Opens a connection that belongs to a certain loop, as {@link #connect(InetSocketAddress, ConnectionHandler)} does
     * to one in turn. Any thread but that of another loop.
     *
     * @param loop one of {@link #loops}
     * @param from the port to connect from, or null for one that nobody uses
     * @throws BindException if the port makes it a connection of another loop
     */
    public Connection connect(EventLoop loop, InetSocketAddress remote, LocalPort from, ConnectionHandler handler)
            throws IOException {
        TransportLoop home = loops.of(loop);
        Opener.requireUsable(remote);
        Objects.requireNonNull(handler, "handler is null; give one that is told how the opening goes");
        if (from != null) {
            return openFromPort(home, true, remote, from, handler);
        }
        loops.stopSharing();
        return opener.open(home, remote, handler, preferred(), clock.nanoTime() + WaitClock.NO_TIMEOUT_NANOS);
    }

    private Connection openFromPort(
            TransportLoop asked,
            boolean isOnlyThere,
            InetSocketAddress remote,
            LocalPort from,
            ConnectionHandler handler)
            throws IOException {
        loops.stopSharing();
        long deadlineNanos = clock.nanoTime() + WaitClock.NO_TIMEOUT_NANOS;
        return opener.openFromPort(asked, isOnlyThere, remote, from, home -> handler, deadlineNanos);
    }

    /**
     * Opens a connection as {@link #connect(InetSocketAddress, ConnectionHandler)} does, if that needs no waiting. On
     * the thread of a loop alone, where that call would stop the loop until the kernel or the neighbour has answered.
     *
     * @return the connection, or null if the way to {@code remote} has to be asked for
     */
    public Connection tryConnect(InetSocketAddress remote, ConnectionHandler handler) throws IOException {
        Objects.requireNonNull(handler, "handler is null; give one that is told how the opening goes");
        Opener.requireUsable(remote);
        TransportLoop own = loops.own();
        TransportLoop home = own != null ? own : loops.get(0);
        home.requireOwner();
        return opener.tryOpen(home, remote, handler, preferred());
    }

    private ProtocolId preferred() {
        return config.protocols().get(0).id();
    }

    /**
     * Offers connections to {@code port} to an acceptor that runs on the thread of the connection's loop. With several
     * loops it may be called by several threads at the same time.
     *
     * @throws BindException if the port is in use
     */
    public void listen(int port, ConnectionAcceptor acceptor) throws IOException {
        PortClaims.requireValid(port);
        listen(new InetSocketAddress(port), acceptor);
    }

    /**
     * As {@link #listen(int, ConnectionAcceptor)}, at one address of this transport. Connections to others are refused.
     *
     * @param local the address, the wildcard for all, loopback for this process; port 0 for one that nobody uses
     * @return what ends it
     * @throws BindException if the port is in use, or the address is not this transport's
     */
    public Listening listen(InetSocketAddress local, ConnectionAcceptor acceptor) throws IOException {
        Objects.requireNonNull(acceptor, "acceptor is null; give one that decides about connections");
        loops.stopSharing();
        return listeners.listen(local, home -> acceptor);
    }

    /** Accepts no more connections on a port, at any address; those that are open stay open. */
    public void stopListening(int port) {
        listeners.stop(port);
    }

    // ---- the loop

    /**
     * {@return work done in one cycle of each loop; invoker mode only, on the thread that runs them} Threads that run
     * one of several loops each do so by {@link EventLoop#runOnce}.
     */
    public int runOnce() {
        return loops.runOnce();
    }

    /** {@return the loop, for its state and for the application's tasks; of several, the first} */
    public EventLoop loop() {
        return loops.get(0).loop();
    }

    /** {@return every loop, one for each queue of the interface that was opened} */
    public List<EventLoop> loops() {
        return loops.all().stream().map(TransportLoop::loop).toList();
    }

    /**
     * Runs a task with all that belongs to the loop, of several to the first: at once on the loop's thread, else in the
     * next cycle. A thread in a blocking call, or one that opens, writes to or closes a socket, may run that cycle. An
     * exception that the task throws goes to the listener for faults, not to the caller; once the loop has ended,
     * {@link LoopTask#onLoopEnded} is called in place of the task.
     *
     * @throws java.util.concurrent.RejectedExecutionException if the transport has ended, or 65,536 tasks wait for
     *     longer than 5 s
     */
    public void execute(LoopTask task) {
        Objects.requireNonNull(task, "task is null; give something to do");
        loops.get(0).execute(task);
    }

    /**
     * As {@link #execute(LoopTask)}, on the loop that has a connection.
     *
     * @throws IllegalArgumentException if it is another transport's
     */
    public void execute(Connection connection, LoopTask task) {
        Objects.requireNonNull(connection, "connection is null; give one of this transport");
        Objects.requireNonNull(task, "task is null; give something to do");
        loops.of(connection).execute(task);
    }

    WaitClock clock() {
        return clock;
    }

    // ---- queries

    /** {@return what the port is and how it came to be so} */
    public PortInfo portInfo() {
        return netInterface.port().info();
    }

    /**
     * {@return how many frames for a port of ours the kernel kept because of their shape, by reason in words, as in
     * "fragmented"; only those that there were} A system call for each reason.
     */
    public Map<String, Long> skippedFrames() {
        return netInterface.port().skippedFrames();
    }

    /** {@return the addresses that connections leave from and come to, now} */
    public List<InetAddress> addresses() {
        return netInterface.addresses();
    }

    /** {@return what the threads of its loops got from the scheduler, and what they did not get and why} */
    public String scheduling() {
        return loops.all().stream()
                .map(home -> home.loop().scheduling())
                .distinct()
                .collect(Collectors.joining("; "));
    }

    /**
     * {@return what the transport has taken and not given back: nothing but buffers with bytes that have not been read,
     * once it is closed} For diagnosis; it looks at every frame. Any thread may ask; of loops that run, the amounts are
     * those of some recent moment.
     */
    public Ledger ledger() {
        Ledger sum = new Ledger();
        loops.forEach(loop -> sum.addAll(loop.ledger()));
        return sum;
    }

    /** {@return what the host counts, with several loops their sum; any thread may read} */
    public Counters counters() {
        return counters;
    }

    /**
     * {@return what the loops measured last, about a second ago where they have work: the sum, or the largest value
     * where a sum says nothing ({@link GaugeId#isLargest})} Any thread.
     */
    public long gauge(GaugeId id) {
        return counterFile.gauge(id);
    }

    /**
     * {@return the parameters that this end has for a connection's protocol}
     *
     * @param protocol one that this transport speaks
     */
    public ProtocolConfig parametersOf(ProtocolId protocol) {
        return config.protocol(protocol);
    }

    /** {@return the host's stack, which belongs to the loop's thread; of several, the first loop's} */
    public HostStack hostStack() {
        return loops.get(0).host();
    }

    /** {@return each loop's stack, which belongs to that loop's thread} */
    public List<HostStack> hostStacks() {
        return loops.all().stream().map(TransportLoop::host).toList();
    }

    /**
     * {@return the host's configuration, as it came out of the transport's and the interface's; with several loops, one
     * loop's part of it}
     */
    public HostConfig hostConfig() {
        return loops.get(0).host().config();
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
        end.close(WaitClock.nanosOf(drainTime));
        assert loops.all().stream().noneMatch(TransportLoop::hasLeftOpen) : "closed, with " + ledger();
    }
}
