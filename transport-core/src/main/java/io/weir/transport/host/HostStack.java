package io.weir.transport.host;

import io.weir.pacer.SeededRandom;
import io.weir.pacer.StampCalibration;
import io.weir.transport.flow.LossRecovery;
import io.weir.transport.flow.RttEstimator;
import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FramePool;
import io.weir.transport.node.ConfigException;
import io.weir.transport.node.Egress;
import io.weir.transport.node.Node;
import io.weir.transport.protocol.FlowContext;
import io.weir.transport.protocol.ProtocolFactory;
import io.weir.transport.protocol.ProtocolId;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.telemetry.Counters;
import io.weir.transport.time.DeadlineHeap;
import io.weir.transport.wire.AckHeader;
import io.weir.transport.wire.Cookie;
import io.weir.transport.wire.Crc32c;
import io.weir.transport.wire.DataHeader;
import io.weir.transport.wire.Datagram;
import io.weir.transport.wire.Dscp;
import io.weir.transport.wire.Ethernet;
import io.weir.transport.wire.FrameType;
import io.weir.transport.wire.HeaderTemplate;
import io.weir.transport.wire.IpAddress;
import io.weir.transport.wire.Path;
import io.weir.transport.wire.Payload;
import io.weir.transport.wire.ResetHeader;
import io.weir.transport.wire.WeirHeader;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A host's stack: a {@link Node} with one port. It checks what comes in, hands it to its connection, and lets out what the
 * connections want to send, at the rate of the link.
 *
 * <p>One thread owns it and everything that it makes. Steady state allocates nothing.
 */
public final class HostStack implements Node {
    private final HostConfig config;
    private final FramePool pool;
    private final List<ProtocolFactory> protocols;
    private final LongSupplier secrets;
    private final Counters counters = new Counters();
    private final Crc32c crc = new Crc32c();
    private final Datagram datagram;
    private final ConnectionTable connections;
    private final DeadlineHeap timeouts = new DeadlineHeap(64);
    private final DeadlineHeap credits = new DeadlineHeap(64);
    private final HostEgress egress;
    private final StampCalibration arrivals;
    private final Handshake handshake;
    private long nowNanos;
    private long arrivedNanos;
    private long pausedUntilNanos = -1;
    private Frame repliedFrame;
    private Consumer<Connection> forgetListener = connection -> {};

    /**
     * Creates a host.
     *
     * @param pool where its frames come from
     * @param protocols the protocols that it speaks, the one that it prefers first
     * @param secrets unpredictable 64-bit numbers for tags and keys
     */
    public HostStack(HostConfig config, FramePool pool, List<ProtocolFactory> protocols, LongSupplier secrets) {
        if (protocols.isEmpty()) {
            throw new ConfigException("a host needs at least one protocol");
        }
        int frameBytesMax = config.headroomBytes() + config.mtuBytes() + Ethernet.HEADER_BYTES;
        if (config.payload() == Payload.CARRIED && frameBytesMax > pool.frameCapacityBytes()) {
            throw new ConfigException("mtuBytes=" + config.mtuBytes() + " needs frames of " + frameBytesMax
                    + " B, and the pool's hold " + pool.frameCapacityBytes() + "; lower the MTU or enlarge the frames");
        }
        this.config = config;
        this.datagram = new Datagram(config.payload());
        this.pool = pool;
        this.protocols = List.copyOf(protocols);
        this.secrets = secrets;
        this.connections = new ConnectionTable(config.connectionsMax());
        this.arrivals =
                new StampCalibration(config.stampRateBps(), config.stamping().calibrates());
        this.egress = new HostEgress(this, new SeededRandom(secrets.getAsLong()));
        this.handshake = new Handshake(this, secrets.getAsLong(), secrets.getAsLong());
    }

    // ---- the application's side

    /** Says what time it is before the application's calls that follow. */
    public void tick(long now) {
        nowNanos = now;
    }

    /** {@return the time of the latest call that told it} */
    public long nowNanos() {
        return nowNanos;
    }

    /** Opens a connection by the protocol that this host prefers: see {@link #connect(Path, ProtocolId, ConnectionHandler)}. */
    public Connection connect(Path path, ConnectionHandler handler) {
        return connect(path, protocols.get(0).id(), handler);
    }

    /**
     * Opens a connection; the handler hears how it goes.
     *
     * @param preferred the protocol to ask for, one that this host speaks
     * @return the connection, or null when the host has as many as it may
     */
    public Connection connect(Path path, ProtocolId preferred, ConnectionHandler handler) {
        if (!speaks(preferred)) {
            throw new IllegalArgumentException("this host does not speak " + preferred);
        }
        Connection connection = newConnection(path, Connection.State.OPENING);
        if (connection == null) {
            return null;
        }
        connection.setHandler(handler);
        Opening opening = new Opening(config, preferred, protocolBits(), nowNanos);
        UnsafeBuffer token = handshake.tokenOf(path.remote());
        if (token != null) {
            opening.useToken(token);
        }
        connection.control().open(opening);
        connection.settle(nowNanos);
        return connection;
    }

    /**
     * Keeps the token that {@code responder} would have given with an earlier connection by this path, so that the next one
     * needs no challenge. For experiments, in which hosts are to have talked before.
     */
    public void takeToken(HostStack responder, Path path) {
        if (handshake.tokenOf(path.remote()) == null) {
            UnsafeBuffer token = new UnsafeBuffer(new byte[Cookie.BYTES]);
            responder.handshake.bakeToken(path.local(), token, 0, responder.nowNanos);
            handshake.keepToken(path.remote(), token, 0);
        }
    }

    /** {@return whether the port was free; then connections to it are offered to {@code acceptor}} */
    public boolean listen(int port, ConnectionAcceptor acceptor) {
        return handshake.listen(port, acceptor);
    }

    /** Accepts no more connections on a port; those that are open stay open. */
    public void stopListening(int port) {
        handshake.stopListening(port);
    }

    /** Says who hears when a connection leaves no trace any more, its time to linger included. */
    public void setForgetListener(Consumer<Connection> listener) {
        forgetListener = listener;
    }

    /** Ends every connection without a word, and returns every frame to its pool. */
    public void close() {
        connections.forEach(connection -> connection.close(CloseReason.HOST_CLOSED));
        egress.releaseAll();
    }

    /** {@return what the host counts} */
    public Counters counters() {
        return counters;
    }

    /** {@return what the host knows of itself} */
    public HostConfig config() {
        return config;
    }

    /** {@return connections in any state but closed} */
    public int connectionCount() {
        return connections.size();
    }

    /** {@return connections whose local port is {@code port}, those that linger included} */
    public int connectionCount(int port) {
        return connections.countOnPort(port);
    }

    /** {@return frames of the pool that the host holds between two calls: what waits to leave} */
    public int framesHeld() {
        return egress.framesHeld();
    }

    // ---- Node

    @Override
    public void onFrame(int portIndex, Frame frame, long now) {
        nowNanos = now;
        arrivedNanos = arrivals.arrivalNanos(frame.wireBytes(), frame.stampNanos(now), now);
        counters.increment(CounterId.FRAMES_RECEIVED);
        CounterId reason = receive(frame, now);
        if (reason != null) {
            counters.increment(reason);
        }
        // A frame that was turned round to reply lies in the egress queue now.
        if (repliedFrame != frame) {
            frame.release();
        }
        repliedFrame = null;
    }

    private CounterId receive(Frame frame, long now) {
        CounterId reason = datagram.parse(frame);
        if (reason != null) {
            return reason;
        }
        UnsafeBuffer buffer = datagram.buffer();
        int at = datagram.weirAt();
        int bytes = datagram.weirBytes();
        if (bytes < WeirHeader.PREFIX_BYTES) {
            return CounterId.DROP_MALFORMED;
        }
        if (WeirHeader.version(buffer, at) != WeirHeader.VERSION) {
            return CounterId.DROP_VERSION;
        }
        FrameType type = WeirHeader.type(buffer, at);
        if (type == null) {
            return CounterId.DROP_TYPE;
        }
        if (!WeirHeader.isValid(type, buffer, at, bytes)) {
            return type == FrameType.OPEN ? CounterId.DROP_OPENING_SHORT : CounterId.DROP_MALFORMED;
        }
        if (type == FrameType.OPEN) {
            return isForUs() ? handshake.onOpen(frame, datagram, now) : CounterId.DROP_NOT_OURS;
        }
        return receiveForConnection(type, buffer, at, now);
    }

    private CounterId receiveForConnection(FrameType type, UnsafeBuffer buffer, int at, long now) {
        Connection connection = connections.byTag(WeirHeader.tag(buffer, at));
        if (connection == null || !connection.isPeer(datagram)) {
            return CounterId.DROP_TAG;
        }
        if (config.payload() == Payload.CARRIED && !isIntact(type, buffer, at)) {
            return CounterId.DROP_CRC;
        }
        CounterId reason = connection.onFrame(type, datagram, now);
        connection.settle(now);
        return reason;
    }

    private boolean isIntact(FrameType type, UnsafeBuffer buffer, int at) {
        return switch (type) {
            case DATA -> DataHeader.isIntact(buffer, at, crc);
            case ACK -> AckHeader.isIntact(buffer, at, crc);
            default -> true;
        };
    }

    /**
     * {@return whether the datagram is for this host's own addresses} A frame to or from a group must not be answered: the
     * reply, and the connection, would have its address.
     */
    private boolean isForUs() {
        if (datagram.destinationMac() != config.mac() || Ethernet.isGroup(datagram.sourceMac())) {
            return false;
        }
        for (int i = 0; i < config.addresses().size(); i++) {
            IpAddress address = config.addresses().get(i);
            if (address.low() == datagram.destinationLow()
                    && address.high() == datagram.destinationHigh()
                    && address.isV6() == datagram.isV6()) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void onTimeout(long now) {
        nowNanos = now;
        for (int id = credits.pollDue(now); id >= 0; id = credits.pollDue(now)) {
            connections.byId(id).onCreditTimeout(now);
        }
        for (int id = timeouts.pollDue(now); id >= 0; id = timeouts.pollDue(now)) {
            connections.byId(id).onTimeout(now);
        }
    }

    @Override
    public long nextTimeoutNanos() {
        return Math.min(credits.peekDeadline(), timeouts.peekDeadline());
    }

    @Override
    public Egress egress(int portIndex) {
        return egress;
    }

    @Override
    public int portCount() {
        return 1;
    }

    @Override
    public void onDeparted(int portIndex, long ticket, long departedNanos) {
        Connection connection = connections.byId((int) (ticket >>> Integer.SIZE));
        if (connection != null && connection.sender() != null) {
            connection.sender().onDeparted((int) ticket, departedNanos);
        }
    }

    /** Credits found in the rings after a pause may be as old as the pause. */
    @Override
    public void onPause(long pauseNanos, long now) {
        counters.increment(CounterId.PAUSES);
        pausedUntilNanos = now;
    }

    // ---- what connections and the handshake need

    /** {@return whether what comes now may have waited for as long as the host did not run} */
    boolean isAfterPause(long now) {
        return now == pausedUntilNanos;
    }

    Connection newConnection(Path path, Connection.State state) {
        int id = connections.freeId();
        if (id < 0) {
            return null;
        }
        long tag = secrets.getAsLong();
        while (tag == 0 || connections.byTag(tag) != null) {
            tag = secrets.getAsLong();
        }
        Connection connection = new Connection(this, id, tag, path, state);
        connections.add(connection);
        counters.increment(CounterId.CONNECTIONS_OPENED);
        return connection;
    }

    void forget(Connection connection) {
        connections.remove(connection);
        timeouts.cancel(connection.id());
        credits.cancel(connection.id());
        forgetListener.accept(connection);
    }

    void countEnd(CloseReason reason) {
        counters.increment(
                reason == CloseReason.FINISHED ? CounterId.CONNECTIONS_CLOSED : CounterId.CONNECTIONS_ABORTED);
    }

    Connection findByRemote(long remoteTag, Datagram opening) {
        Connection connection = connections.byRemoteTag(remoteTag);
        return connection != null && connection.isPeer(opening) ? connection : null;
    }

    void rememberRemote(Connection connection) {
        connections.rememberRemote(connection);
    }

    boolean speaks(ProtocolId protocol) {
        return factoryOf(protocol) != null;
    }

    /** {@return the protocol for an opening: the one it prefers if this host speaks it, or this host's first that it speaks} */
    ProtocolId choose(int preferredCode, int offeredBits) {
        ProtocolId preferred = spoken(preferredCode);
        if (preferred != null) {
            return preferred;
        }
        for (ProtocolFactory factory : protocols) {
            if ((offeredBits & factory.id().bit()) != 0) {
                return factory.id();
            }
        }
        return null;
    }

    /** {@return the protocol with this code, or null when this host does not speak it} */
    ProtocolId spoken(int code) {
        for (ProtocolFactory factory : protocols) {
            if (factory.id().code() == code) {
                return factory.id();
            }
        }
        return null;
    }

    private int protocolBits() {
        int bits = 0;
        for (ProtocolFactory factory : protocols) {
            bits |= factory.id().bit();
        }
        return bits;
    }

    private ProtocolFactory factoryOf(ProtocolId protocol) {
        for (ProtocolFactory factory : protocols) {
            if (factory.id().code() == protocol.code()) {
                return factory;
            }
        }
        return null;
    }

    StreamSender newSender(Connection connection, PeerOffer peer) {
        HostConfig.Timers timers = config.timers();
        RttEstimator rtt = new RttEstimator(
                timers.retransmitNanosInitial(), timers.retransmitNanosMin(), timers.retransmitNanosMax());
        FlowContext context = flowContext(connection, peer);
        return new StreamSender(
                connection.sendBuffer(),
                new LossRecovery(
                        config.streams().framesInFlightMax(), config.streams().gapsMax()),
                rtt,
                factoryOf(peer.protocol()).newSender(context),
                counters,
                context.segmentBytesMax());
    }

    StreamReceiver newReceiver(Connection connection, PeerOffer peer) {
        FlowContext context = flowContext(connection, peer);
        return new StreamReceiver(
                connection,
                connection.receiveBuffer(),
                factoryOf(peer.protocol()).newReceiver(context),
                config,
                counters,
                context.segmentBytesMax());
    }

    private FlowContext flowContext(Connection connection, PeerOffer peer) {
        int mtuBytes = Math.min(config.mtuBytes(), peer.mtuBytes());
        int headerBytes = connection.template().bytes() - Ethernet.HEADER_BYTES + DataHeader.BYTES;
        return new FlowContext(
                connection.path(),
                counters,
                config.linkRateBps(),
                config.credits().creditedRateBps(),
                mtuBytes - headerBytes,
                mtuBytes + Ethernet.FRAMING_BYTES,
                config.slack().catchUpNanos(),
                nowNanos);
    }

    /** Tells the peer that the connection is over, if there is a frame to tell it with: once, and unprotected by repetition. */
    void sendReset(Connection connection, int reason) {
        Frame frame = allocate();
        if (frame == null) {
            return;
        }
        HeaderTemplate template = connection.template();
        int at = template.begin(frame, 0);
        ResetHeader.write(frame.buffer(), at, connection.remoteTag(), reason);
        template.finish(frame, ResetHeader.BYTES, Dscp.CONTROL, Dscp.ECN_NOT_ECT);
        egress.addReply(frame);
    }

    void sendReply(Frame frame) {
        repliedFrame = frame;
        egress.addReply(frame);
    }

    void sendCredit(Connection connection, int wireBytes, long dueNanos) {
        egress.addCredit(connection, wireBytes, dueNanos);
    }

    void scheduleControl(Connection connection) {
        egress.scheduleControl(connection);
    }

    void scheduleData(Connection connection) {
        egress.scheduleData(connection);
    }

    void scheduleCredit(int id, long deadlineNanos) {
        credits.schedule(id, deadlineNanos);
    }

    /** Schedules a time-out. One that moves later is left: it fires early, does nothing, and is set again. */
    void scheduleTimeout(int id, long deadlineNanos) {
        if (deadlineNanos < timeouts.deadlineOf(id)) {
            timeouts.schedule(id, deadlineNanos);
        }
    }

    /** {@return when the frame at hand came, as near to the wire as its port can tell} */
    long arrivedNanos() {
        return arrivedNanos;
    }

    /** {@return the time stamp of the frame that is written next} */
    long departureNanos(long now) {
        return egress.departureNanos(now);
    }

    Frame allocate() {
        Frame frame = pool.allocate();
        if (frame == null) {
            counters.increment(CounterId.DROP_NO_FRAME);
        }
        return frame;
    }

    Handshake handshake() {
        return handshake;
    }

    Crc32c crc() {
        return crc;
    }
}
