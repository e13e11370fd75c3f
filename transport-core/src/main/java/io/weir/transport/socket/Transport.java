package io.weir.transport.socket;

import io.weir.pacer.CreditShape;
import io.weir.pacer.SeededRandom;
import io.weir.transport.frame.FramePool;
import io.weir.transport.host.Connection;
import io.weir.transport.host.ConnectionAcceptor;
import io.weir.transport.host.ConnectionHandler;
import io.weir.transport.host.HostConfig;
import io.weir.transport.host.HostStack;
import io.weir.transport.node.NetPort;
import io.weir.transport.node.PortInfo;
import io.weir.transport.node.StampSources;
import io.weir.transport.protocol.ProtocolConfig;
import io.weir.transport.protocol.ProtocolFactory;
import io.weir.transport.protocol.ProtocolId;
import io.weir.transport.protocol.credit.CreditPortConfig;
import io.weir.transport.protocol.expresspass.ExpressPassConfig;
import io.weir.transport.runtime.Backend;
import io.weir.transport.runtime.EventLoop;
import io.weir.transport.runtime.LoopTask;
import io.weir.transport.runtime.NetInterface;
import io.weir.transport.runtime.NodeBinding;
import io.weir.transport.runtime.ThreadTuning;
import io.weir.transport.telemetry.Counters;
import io.weir.transport.wire.Ethernet;
import io.weir.transport.wire.IpAddress;
import io.weir.transport.wire.Path;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A transport stack on one interface of this host: an event loop with its own thread (or the application's), a host stack,
 * and a port.
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
    private static final long CLOSE_TIMEOUT_NANOS = 30_000_000_000L;
    private static final AtomicInteger TRANSPORT_NUMBER = new AtomicInteger();

    /** What ports want before a frame whose departure the device is to tell: 24 bytes, and even addresses. */
    private static final int STAMP_BYTES = 32;

    private final TransportConfig config;
    private final NetInterface netInterface;
    private final HostStack host;
    private final EventLoop loop;
    private final PortClaims claims;
    private final SecureRandom secureRandom = new SecureRandom();
    private final AtomicInteger nextEphemeral = new AtomicInteger();

    private Transport(TransportConfig config, NetInterface netInterface, FramePool pool) throws IOException {
        this.netInterface = netInterface;
        this.config = config;
        List<ProtocolFactory> protocols = config.protocols().stream()
                .map(protocol -> protocol.newFactory(new SeededRandom(secureRandom.nextLong())))
                .toList();
        this.host = new HostStack(newHostConfig(), pool, protocols, secureRandom::nextLong);
        this.nextEphemeral.set(secureRandom.nextInt(EPHEMERAL_PORT_COUNT));
        this.claims = new PortClaims(netInterface, host::connectionCount);
        NetPort port = netInterface.port();
        this.loop = new EventLoop(
                "weir-" + port.info().name() + "-" + TRANSPORT_NUMBER.incrementAndGet(),
                List.of(new NodeBinding(host, List.of(port))),
                config.idleMode(),
                netInterface.newWaiter(),
                this::stop);
        loop.setScheduling(config.scheduling());
        // Not when a connection has ended: while it lingers, repetitions must still reach it.
        host.setForgetListener(
                connection -> claims.releaseIfUnused(connection.path().localPort()));
    }

    private void stop() {
        host.close();
        claims.releaseAll();
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
                .portRateBps(info.linkRateBps())
                .headroomBytes(isStamped ? STAMP_BYTES : 0)
                .build();
    }

    /** The link meters credits whoever's they are, by the shape that ExpressPass gives them here. */
    private static ExpressPassConfig creditsOf(TransportConfig config) {
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
        RuntimeCheck.requireAgronaWorks();
        ThreadTuning.find().requirePossible(config.scheduling());
        Backend backend = Backends.find(config.backend());
        FramePool pool = new FramePool(config.frameCount(), backend.frameCapacityBytes(interfaceName));
        return open(backend.open(interfaceName, pool), pool, config);
    }

    /** {@return a transport on an interface that is open already; it owns the interface's port from now on} */
    public static Transport open(NetInterface netInterface, FramePool pool, TransportConfig config) throws IOException {
        Transport transport;
        try {
            ThreadTuning.find().requirePossible(config.scheduling());
            transport = new Transport(config, netInterface, pool);
        } catch (IOException | RuntimeException e) {
            netInterface.port().close();
            throw e;
        }
        transport.loop.start();
        return transport;
    }

    // ---- sockets

    /** Connects to a listening transport, by the protocol that this one prefers: see {@link #connect(InetSocketAddress, Duration, ProtocolId)}. */
    public WeirSocket connect(InetSocketAddress remote, Duration timeout) throws IOException {
        return connect(remote, timeout, preferred());
    }

    /**
     * Connects to a listening transport.
     *
     * @param timeout how long to wait; zero for as long as the stack tries (10 s by default)
     * @param protocol one that this transport speaks; where the peer does not, the peer chooses among those that both speak, and
     *     {@link WeirSocket#protocol} says which
     * @throws java.net.ConnectException if nobody listens there, or nobody answers
     * @throws java.net.SocketTimeoutException if the time is over first
     */
    public WeirSocket connect(InetSocketAddress remote, Duration timeout, ProtocolId protocol) throws IOException {
        long deadlineNanos = System.nanoTime() + timeoutNanos(timeout);
        WeirSocket socket = new WeirSocket(this);
        socket.attach(open(remote, socket.events(), protocol));
        try {
            socket.awaitConnected(remote, deadlineNanos);
        } catch (IOException e) {
            // Out of time, or interrupted: nobody will ever hold this connection.
            socket.abort();
            throw e;
        }
        return socket;
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
        WeirServerSocket socket = new WeirServerSocket(this, port, backlog);
        accept(port, socket::onIncoming);
        return socket;
    }

    // ---- handlers that run to completion on the loop's thread

    /**
     * Opens a connection by the protocol that this transport prefers: see {@link #connect(InetSocketAddress, ConnectionHandler,
     * ProtocolId)}.
     */
    public Connection connect(InetSocketAddress remote, ConnectionHandler handler) throws IOException {
        return connect(remote, handler, preferred());
    }

    /**
     * Opens a connection whose handler runs on the loop's thread; it hears how the opening goes.
     *
     * @param protocol one that this transport speaks; where the peer does not, the peer chooses among those that both speak, and
     *     {@link Connection#protocol} says which
     * @return the connection, which belongs to the loop's thread
     */
    public Connection connect(InetSocketAddress remote, ConnectionHandler handler, ProtocolId protocol)
            throws IOException {
        loop.stopSharing();
        return open(remote, handler, protocol);
    }

    private ProtocolId preferred() {
        return config.protocols().get(0).id();
    }

    private Connection open(InetSocketAddress remote, ConnectionHandler handler, ProtocolId protocol)
            throws IOException {
        requireSpoken(protocol);
        requireRunning();
        int localPort = claimEphemeralPort();
        try {
            Path path = netInterface.resolve(localPort, remote);
            Connection connection = call(now -> host.connect(path, protocol, handler));
            if (connection == null) {
                throw new SocketException("too many connections: "
                        + host.config().connectionsMax() + " are open; raise connectionsMax or close some");
            }
            return connection;
        } catch (IOException | RuntimeException e) {
            claims.abandon(localPort);
            throw e;
        }
    }

    private void requireSpoken(ProtocolId protocol) {
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
        loop.stopSharing();
        accept(port, acceptor);
    }

    private void accept(int port, ConnectionAcceptor acceptor) throws IOException {
        requireRunning();
        if (port < 1 || port > 65_535) {
            throw new IllegalArgumentException("port=" + port + " is outside 1..65535");
        }
        claims.claimForListening(port);
        if (!call(now -> host.listen(port, acceptor))) {
            throw new BindException("port " + port + " is listened on by the host's stack itself");
        }
    }

    /** Accepts no more connections on a port; those that are open stay open. */
    public void stopListening(int port) {
        execute(now -> {
            host.stopListening(port);
            claims.endListening(port);
        });
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
     * Runs a task with all that belongs to the loop: at once on the loop's thread, else in the next cycle. A thread that waits in
     * a blocking call may be the one that runs the cycle.
     */
    public void execute(LoopTask task) {
        executePrepared(prepare(task));
    }

    /** {@return a task for {@link #executePrepared}, made once for many runs} */
    LoopTask prepare(LoopTask task) {
        return new HostTask(host, task);
    }

    void executePrepared(LoopTask task) {
        if (loop.isLoopThread()) {
            task.run(loop.nowNanos());
        } else {
            loop.execute(task);
        }
    }

    private <T> T call(LoopCall<T> work) throws IOException {
        LoopAnswer<T> answer = new LoopAnswer<>(work, this);
        execute(answer);
        return answer.await();
    }

    void requireRunning() throws IOException {
        if (loop.failure() != null) {
            throw new SocketException("Transport ended by a fault: " + loop.failure());
        }
        if (loop.isClosed()) {
            throw new SocketException("Transport closed");
        }
    }

    private int claimEphemeralPort() throws IOException {
        BindException last = null;
        for (int tries = 0; tries < EPHEMERAL_PORT_COUNT; tries++) {
            int port = EPHEMERAL_PORT_MIN + Math.floorMod(nextEphemeral.getAndIncrement(), EPHEMERAL_PORT_COUNT);
            try {
                claims.claimForConnection(port);
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
        if (timeout.isNegative()) {
            throw new IllegalArgumentException("timeout=" + timeout + " must not be negative");
        }
        return timeout.isZero() ? NO_TIMEOUT_NANOS : Math.min(NO_TIMEOUT_NANOS, timeout.toNanos());
    }

    /** Ends every connection at once, and gives back the interface. */
    @Override
    public void close() {
        loop.close();
    }
}
