package io.weir.transport.host;

import io.weir.pacer.SeededRandom;
import io.weir.transport.flow.BufferBudget;
import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FramePool;
import io.weir.transport.node.ConfigException;
import io.weir.transport.node.Egress;
import io.weir.transport.node.Node;
import io.weir.transport.protocol.HostPauses;
import io.weir.transport.protocol.ProtocolFactory;
import io.weir.transport.protocol.ProtocolId;
import io.weir.transport.telemetry.AccountId;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.telemetry.Counters;
import io.weir.transport.telemetry.Ledger;
import io.weir.transport.telemetry.TraceRing;
import io.weir.transport.wire.Cookie;
import io.weir.transport.wire.Crc32c;
import io.weir.transport.wire.Datagram;
import io.weir.transport.wire.Ethernet;
import io.weir.transport.wire.IpAddress;
import io.weir.transport.wire.Path;
import io.weir.transport.wire.Payload;
import io.weir.transport.wire.TracedHeaders;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A host's stack: a {@link Node} with one port. It checks what comes in, hands it to its connection, and lets out what
 * the connections want to send, at the rate of the link.
 *
 * <p>One thread owns it and everything that it makes. Steady state allocates nothing.
 */
public final class HostStack implements Node {
    private final HostConfig config;
    private final FramePool pool;
    private final SpokenProtocols protocols;
    private final Counters counters;
    private final Crc32c crc = new Crc32c();
    private final ConnectionTable connections;
    private final ConnectionRegistry registry;
    private final HostDeadlines deadlines;
    private final StreamMaker streams;
    private final HostEgresses egresses;
    private final ArrivalTimes arrivals;
    private final HostPauses pauses;
    private final PeerAccounts accounts;
    private final Handshake handshake;
    private final Resets resets;
    private final OwnAddresses addresses;
    private final EndedConnections ended = new EndedConnections();
    /** Null where frames have no payload with them: then buffers only count. */
    private final BufferBudget bufferBudget;

    private final FrameIntake intake;
    private final HostNetwork network;
    /** The time of the latest call that told it; every entry point writes it first. */
    private long nowNanos;
    /** The frame at hand where its reply may be written in place, or null; set and taken within one onFrame. */
    private Frame repliedFrame;

    // Told when a connection's state is gone, and when a peer is silent; set before traffic, called on the owner's
    // thread, never null.
    private Consumer<Connection> forgetListener = connection -> {};
    private Consumer<Connection> silenceListener = connection -> {};
    /** Is told what rarely happens to connections; as those. */
    private BiConsumer<Connection, ConnectionEvent> eventListener = (connection, event) -> {};
    /** Where the latest frames are noted, or null; set before traffic. */
    private TraceRing trace;
    /** Throws where the calling thread may not use connections; nothing in virtual time. */
    private Runnable ownerCheck = () -> {};

    private final Callbacks callbacks = new Callbacks(this);

    /**
     * Creates a host.
     *
     * @param pool where its frames come from
     * @param protocols the protocols that it speaks, the one that it prefers first
     * @param secrets unpredictable 64-bit numbers for tags and keys
     */
    public HostStack(HostConfig config, FramePool pool, List<ProtocolFactory> protocols, LongSupplier secrets) {
        this(config, pool, protocols, secrets, new Counters());
    }

    /** Creates a host that counts in the given counters, which are its own alone. */
    public HostStack(
            HostConfig config,
            FramePool pool,
            List<ProtocolFactory> protocols,
            LongSupplier secrets,
            Counters counters) {
        this.counters = counters;
        this.protocols = new SpokenProtocols(protocols);
        int frameBytesMax = config.headroomBytes() + config.mtuBytesMax() + Ethernet.HEADER_BYTES;
        if (config.payload() == Payload.CARRIED && frameBytesMax > pool.frameCapacityBytes()) {
            throw new ConfigException("mtuBytes=" + config.mtuBytesMax() + " needs frames of " + frameBytesMax
                    + " B, and the pool's hold " + pool.frameCapacityBytes() + "; lower the MTU or enlarge the frames");
        }
        this.config = config;
        this.addresses = new OwnAddresses(config.addresses());
        this.pool = pool;
        this.bufferBudget = config.payload() == Payload.CARRIED
                ? new BufferBudget(config.streams().memoryBytesMax())
                : null;
        this.connections = new ConnectionTable(config.connectionsMax());
        this.deadlines = new HostDeadlines(connections);
        this.streams = new StreamMaker(config, this.protocols, counters);
        this.arrivals = new ArrivalTimes(config);
        this.pauses = new HostPauses(
                config.pauses(), config.link().rateBps(), config.slack().catchUpNanos());
        this.egresses = new HostEgresses(this, new SeededRandom(secrets.getAsLong()));
        this.accounts = new PeerAccounts(config.peers(), bufferBudget);
        this.registry = new ConnectionRegistry(this, connections, accounts, secrets);
        this.handshake = new Handshake(this, accounts, secrets.getAsLong(), secrets.getAsLong());
        this.resets = new Resets(this);
        this.intake = new FrameIntake(config, addresses, connections, handshake, new StatelessResets(this, ended), crc);
        this.network = new HostNetwork(this, connections, addresses, intake);
    }

    // ---- the application's side

    /** Sets the time before the application's calls that follow. */
    public void tick(long now) {
        nowNanos = now;
    }

    /** {@return the time of the latest call that told it} */
    public long nowNanos() {
        return nowNanos;
    }

    /**
     * Opens a connection by the protocol that this host prefers: see {@link #connect(Path, ProtocolId,
     * ConnectionHandler)}.
     */
    public Connection connect(Path path, ConnectionHandler handler) {
        return connect(path, protocols.preferred(), handler);
    }

    /**
     * Opens a connection; the handler is told how it goes.
     *
     * @param preferred the protocol to ask for, one that this host speaks
     * @return the connection, or null when the host has as many as it may
     */
    public Connection connect(Path path, ProtocolId preferred, ConnectionHandler handler) {
        Objects.requireNonNull(path, "path is null; resolve the peer's address first");
        Objects.requireNonNull(handler, "handler is null; give one that is told how the opening goes");
        if (protocols.spoken(preferred.code()) == null) {
            throw new IllegalArgumentException("this host does not speak " + preferred);
        }
        Connection connection = registry.add(path, registry.newTag(), Lifecycle.State.OPENING);
        if (connection == null) {
            return null;
        }
        Opening opening = new Opening(this, path.remote(), preferred, protocols.bits());
        UnsafeBuffer token = handshake.tokenOf(path.remote());
        if (token != null) {
            opening.useToken(token);
        }
        connection.open(opening, handler);
        return connection;
    }

    /**
     * Keeps the token that {@code responder} would have given with an earlier connection by this path, so that the next
     * one needs no challenge, and the round trip that would have been measured. For experiments, in which hosts are to
     * have talked before.
     *
     * @param roundTripNanos that of a handshake, or 0 if it is not known
     */
    public void takeToken(HostStack responder, Path path, long roundTripNanos) {
        KnownPeers.KnownPeer peer = handshake.peers().of(path.remote());
        UnsafeBuffer token = new UnsafeBuffer(ByteBuffer.allocateDirect(Cookie.BYTES));
        responder.handshake.bakeToken(path.local(), token, 0, responder.nowNanos);
        peer.keepToken(token, 0);
        if (roundTripNanos > 0) {
            peer.onAnswer(roundTripNanos, true);
        }
    }

    /** {@return whether this host has a token for an opening to {@code remote}} */
    public boolean hasToken(IpAddress remote) {
        return handshake.tokenOf(remote) != null;
    }

    /** {@return whether the port was free; then connections to it are offered to {@code acceptor}} */
    public boolean listen(int port, ConnectionAcceptor acceptor) {
        return listen(port, null, acceptor);
    }

    /**
     * {@return whether the port was free at this address; then connections to it are offered to {@code acceptor}} An
     * opening to another address is refused as if nobody listened.
     *
     * @param local one of the host's addresses, or null for all
     */
    public boolean listen(int port, IpAddress local, ConnectionAcceptor acceptor) {
        Objects.requireNonNull(acceptor, "acceptor is null; give one that decides about connections");
        return handshake.acceptors().add(port, local, acceptor);
    }

    /** Accepts no more connections on a port; those that are open stay open. */
    public void stopListening(int port) {
        handshake.acceptors().remove(port);
    }

    /** Accepts no more connections for one acceptor of a port; those that are open stay open. */
    public void stopListening(int port, ConnectionAcceptor acceptor) {
        handshake.acceptors().remove(port, acceptor);
    }

    /** Registers a callback for connections whose peer has answered nothing for a while. */
    public void setSilenceListener(Consumer<Connection> listener) {
        silenceListener = listener;
    }

    void onSilence(Connection connection) {
        silenceListener.accept(connection);
    }

    /**
     * Ends every connection because the port moves no more frames.
     *
     * @param reason why not
     */
    public void failPort(CloseReason reason) {
        connections.forEach(connection -> connection.input().close(reason));
        egresses.clear();
    }

    /** Sets who is told when a connection leaves no trace any more, its time to linger included. */
    public void setForgetListener(Consumer<Connection> listener) {
        forgetListener = listener;
    }

    /**
     * Sets who is told what rarely happens to connections, on the owner's thread: at {@link
     * ConnectionEvent#MEMORY_REFUSED} perhaps without a connection.
     */
    public void setEventListener(BiConsumer<Connection, ConnectionEvent> listener) {
        eventListener = listener;
    }

    void tell(Connection connection, ConnectionEvent event) {
        eventListener.accept(connection, event);
    }

    /** Sets where the headers of each frame that comes and leaves are noted; null for nowhere. Before traffic. */
    public void setTrace(TraceRing ring) {
        trace = ring;
    }

    private void beginTrace(byte direction, Frame frame, long nanos) {
        UnsafeBuffer buffer = frame.buffer();
        int at = frame.offset();
        int keptBytes = TracedHeaders.bytes(buffer, at, frame.length(), TraceRing.KEPT_BYTES_MAX);
        trace.begin(direction, nanos, frame.frameBytes(), buffer, at, keptBytes);
    }

    /** A frame leaves. */
    void traceSent(Frame frame, long now) {
        if (trace != null) {
            beginTrace(TraceRing.SENT, frame, now);
            trace.end(null);
        }
    }

    /** Sets what throws an exception when the calling thread may not use connections. */
    public void setOwnerCheck(Runnable check) {
        ownerCheck = check;
    }

    void requireOwner() {
        ownerCheck.run();
    }

    /**
     * Sets who is told what the application's own code did wrong. Without it, such an exception is the driver's, as are
     * errors.
     */
    public void setFaultListener(FaultListener listener) {
        callbacks.setListener(listener);
    }

    /**
     * Ends every connection in order: what was written is still delivered, for {@code nanos} at most. No others are
     * accepted. The host has left when {@link #hasLeft}.
     *
     * @param nanos how long connections may take, or 0 to reset them at once
     */
    public void leaveWithin(long nanos) {
        handshake.acceptors().clear();
        connections.forEach(connection -> connection.leaveWithin(nanos));
    }

    /** {@return whether no connection is left, and no frame that says so} */
    public boolean hasLeft() {
        return connections.size() == 0 && egresses.framesHeld() == 0;
    }

    /** Ends every connection silently, and returns every frame to its pool. */
    public void close() {
        Throwable first = null;
        for (Connection connection : connections.all()) {
            try {
                connection.input().close(CloseReason.HOST_CLOSED);
            } catch (RuntimeException | Error e) {
                // Of a host that ended by a fault any of them may be broken; the others are told all the same.
                first = first == null ? e : first;
            }
        }
        handshake.halfOpens().clear();
        resets.clear();
        egresses.clear();
        if (first != null) {
            throw new IllegalStateException("a connection could not be ended: " + first, first);
        }
    }

    /** {@return what it does when its network changes} */
    public HostNetwork network() {
        return network;
    }

    /** {@return the pauses of its driver, and what it does about them} */
    public HostPauses pauses() {
        return pauses;
    }

    /** {@return what the host counts} */
    public Counters counters() {
        return counters;
    }

    /**
     * {@return the wire bytes that have left by {@code nowNanos}} A frame in transmission counts as far as it has left.
     */
    public long wireBytesSent(long nowNanos) {
        return counters.get(CounterId.WIRE_BYTES_SENT) - egresses.bytesLeft(nowNanos);
    }

    /** {@return the most connections that have waited at once with data that may leave} */
    public int flowsWaitingMax() {
        return egresses.dataTurnsMax();
    }

    /** {@return the most credits that have waited at once for the meter, queued or due of flows that wait in turn} */
    public int creditsWaitingMax() {
        return egresses.creditsWaitingMax();
    }

    /** {@return the host's configuration} */
    public HostConfig config() {
        return config;
    }

    /** {@return connections in any state but closed} */
    public int connectionCount() {
        return connections.size();
    }

    /** {@return openings of peers that were accepted and are not confirmed, with or without a connection} */
    public int halfOpenCount() {
        return handshake.halfOpenCount();
    }

    /** {@return peer addresses of which the host keeps anything} */
    int peerCount() {
        return accounts.size();
    }

    /** {@return connections whose local port is {@code port}, those that linger included} */
    public int connectionCount(int port) {
        return connections.countOnPort(port);
    }

    /** {@return the memory of its streams' buffers, or null where they only count; any thread may ask} */
    public BufferBudget bufferBudget() {
        return bufferBudget;
    }

    /** {@return what is open here: nothing, once the last connection has left no trace any more} */
    public Ledger ledger() {
        Ledger ledger = new Ledger();
        connections.addTo(ledger);
        deadlines.addTo(ledger);
        resets.addTo(ledger);
        ended.addTo(ledger);
        egresses.addTo(ledger);
        protocols.addTo(ledger);
        handshake.halfOpens().addTo(ledger);
        ledger.add(AccountId.HALF_OPENS, halfOpenCount());
        ledger.add(AccountId.PEERS, accounts.size());
        if (bufferBudget != null) {
            ledger.add(AccountId.BUFFER_BYTES, bufferBudget.bytesInUse());
            ledger.add(AccountId.RESERVED_BYTES, bufferBudget.bytesReserved());
        }
        return ledger;
    }

    /** {@return frames of the pool that the host holds between two calls: what waits to leave} */
    public int framesHeld() {
        return egresses.framesHeld();
    }

    // ---- Node

    @Override
    public void onFrame(int portIndex, Frame frame, long now) {
        nowNanos = now;
        arrivals.onFrame(frame, now);
        counters.increment(CounterId.FRAMES_RECEIVED);
        counters.add(CounterId.WIRE_BYTES_RECEIVED, frame.wireBytes());
        if (trace != null) {
            // Before it may be turned round.
            beginTrace(TraceRing.RECEIVED, frame, frame.stampNanos(now));
        }
        CounterId reason = intake.receive(frame, now);
        if (trace != null) {
            trace.end(reason);
        }
        if (reason != null) {
            counters.increment(reason);
        }
        if (repliedFrame == null) {
            frame.release();
        } else {
            // It was turned round to reply, and lies in the egress queue now.
            repliedFrame = null;
        }
    }

    @Override
    public void onTimeout(long now) {
        nowNanos = now;
        deadlines.fire(now);
        handshake.halfOpens().onTimeout(now);
        resets.onTimeout(now);
        if (addresses.nextTimeoutNanos() <= now) {
            network.endOfRemovedAddresses(now);
        }
    }

    @Override
    public long nextTimeoutNanos() {
        long openingNanos =
                Math.min(deadlines.nextNanos(), handshake.halfOpens().nextTimeoutNanos());
        return Math.min(openingNanos, Math.min(addresses.nextTimeoutNanos(), resets.nextNanos()));
    }

    @Override
    public Egress egress(int portIndex) {
        return egresses.all();
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

    @Override
    public void onFlushed(int portIndex, long now) {
        egresses.onFlushed(now);
    }

    @Override
    public void onPause(long pauseNanos, long now) {
        pauses.onPause(pauseNanos, now);
        egresses.makeUp(pauseNanos, now);
        if (pauseNanos >= HostPauses.ANNOUNCED_NANOS_MIN) {
            counters.increment(CounterId.PAUSES);
        }
        arrivals.onPause(pauseNanos, now);
    }

    @Override
    public void onCaughtUp(long now) {
        arrivals.onCaughtUp(now);
    }

    // ---- what connections and the handshake need

    /** The connection has ended in order, and has lingered. */
    void onEnded(Connection connection) {
        if (config.liveness().resetsPerSecondMax() > 0) {
            ended.add(connection.localTag());
        }
    }

    @Override
    public boolean measuresDelay() {
        return registry.measuresDelay();
    }

    void forget(Connection connection) {
        registry.remove(connection);
        deadlines.cancel(connection.id());
        forgetListener.accept(connection);
    }

    Connection findByRemote(long remoteTag, Datagram opening) {
        Connection connection = connections.byRemoteTag(remoteTag);
        return connection != null && opening.isFrom(connection.path()) ? connection : null;
    }

    /** Lets the frame at hand leave, which has been turned round. */
    void sendReply(Frame frame) {
        repliedFrame = frame;
        egresses.addReply(frame);
    }

    /** {@return when frames came, the one at hand among them} */
    ArrivalTimes arrivals() {
        return arrivals;
    }

    /** {@return whether {@link #allocate} would give a frame} */
    boolean hasFrame() {
        return pool.available() > 0;
    }

    Frame allocate() {
        Frame frame = pool.allocate();
        if (frame == null) {
            counters.increment(CounterId.DROP_NO_FRAME);
        }
        return frame;
    }

    /** {@return its connections} */
    ConnectionTable connections() {
        return connections;
    }

    /** {@return what gives connections their places, and takes them back} */
    ConnectionRegistry registry() {
        return registry;
    }

    Resets resets() {
        return resets;
    }

    SpokenProtocols protocols() {
        return protocols;
    }

    StreamMaker streams() {
        return streams;
    }

    Callbacks callbacks() {
        return callbacks;
    }

    HostDeadlines deadlines() {
        return deadlines;
    }

    HostEgresses egresses() {
        return egresses;
    }

    Handshake handshake() {
        return handshake;
    }

    Crc32c crc() {
        return crc;
    }
}
