package io.weir.transport.host;

import io.weir.pacer.RateMath;
import io.weir.pacer.SeededRandom;
import io.weir.pacer.StampCalibration;
import io.weir.transport.flow.BufferBudget;
import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FramePool;
import io.weir.transport.node.ConfigException;
import io.weir.transport.node.Egress;
import io.weir.transport.node.Node;
import io.weir.transport.protocol.HostPauses;
import io.weir.transport.protocol.ProtocolFactory;
import io.weir.transport.protocol.ProtocolId;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.telemetry.Counters;
import io.weir.transport.wire.Cookie;
import io.weir.transport.wire.Crc32c;
import io.weir.transport.wire.Datagram;
import io.weir.transport.wire.Ethernet;
import io.weir.transport.wire.IpAddress;
import io.weir.transport.wire.Path;
import io.weir.transport.wire.Payload;
import io.weir.transport.wire.SharedHostMac;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
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
    /** From which length of a pause on what lay in the rings is stale: the lifetime of a credit. */
    private static final long STALE_NANOS = 1_000_000;
    /** What a connection costs without a byte in its buffers; {@code ConnectionMemoryTest} measures it. */
    static final long CONNECTION_BYTES = 8_192;
    /** What a half-open connection without credit state costs. */
    static final long HALF_OPEN_BYTES = 256;

    private final HostConfig config;
    private final FramePool pool;
    private final SpokenProtocols protocols;
    private final LongSupplier secrets;
    private final Counters counters = new Counters();
    private final Crc32c crc = new Crc32c();
    private final ConnectionTable connections;
    private final HostDeadlines deadlines;
    private final StreamMaker streams;
    private final HostEgresses egresses;
    private final StampCalibration arrivals;
    /** Of frames of other processes of this host; null where it has no memory with any. */
    private final StampCalibration memoryArrivals;

    private final HostPauses pauses;
    private final PeerAccounts accounts;
    private final Handshake handshake;
    private final Resets resets;
    private final OwnAddresses addresses;
    private final EndedConnections ended = new EndedConnections();
    /** Null where frames have no payload with them: then buffers only count. */
    private final BufferBudget bufferBudget;

    private final FrameIntake intake;
    /** The time of the latest call that told it; every entry point writes it first. */
    private long nowNanos;
    /** When the frame at hand came, by the port's stamp or the poll's time; written by onFrame before it is read. */
    private long arrivedNanos;
    /**
     * Until when frames that come may have waited for a pause; what lay in the rings is taken before, so {@link
     * #onCaughtUp} ends it.
     */
    private long lateUntilNanos = Long.MIN_VALUE;

    /** The frame at hand where its reply may be written in place, or null; set and taken within one onFrame. */
    private Frame repliedFrame;
    /** Connections whose protocol measures delays; raised as streams open, lowered as connections are forgotten. */
    private int delayMeasuringCount;

    // Told when a connection's state is gone, and when a peer is silent; set before traffic, called on the owner's
    // thread, never null.
    private Consumer<Connection> forgetListener = connection -> {};
    private Consumer<Connection> silenceListener = connection -> {};
    /** Throws where the calling thread may not use connections; nothing in virtual time. */
    private Runnable ownerCheck = () -> {};
    /** The largest IP packet of the link now: the configuration's, or less. Memory's does not change. */
    private int mtuBytes;

    private final Callbacks callbacks = new Callbacks(this);

    /**
     * Creates a host.
     *
     * @param pool where its frames come from
     * @param protocols the protocols that it speaks, the one that it prefers first
     * @param secrets unpredictable 64-bit numbers for tags and keys
     */
    public HostStack(HostConfig config, FramePool pool, List<ProtocolFactory> protocols, LongSupplier secrets) {
        this.protocols = new SpokenProtocols(protocols);
        int frameBytesMax = config.headroomBytes() + config.mtuBytesMax() + Ethernet.HEADER_BYTES;
        if (config.payload() == Payload.CARRIED && frameBytesMax > pool.frameCapacityBytes()) {
            throw new ConfigException("mtuBytes=" + config.mtuBytesMax() + " needs frames of " + frameBytesMax
                    + " B, and the pool's hold " + pool.frameCapacityBytes() + "; lower the MTU or enlarge the frames");
        }
        this.config = config;
        this.mtuBytes = config.link().mtuBytes();
        this.addresses = new OwnAddresses(config.addresses());
        this.pool = pool;
        this.secrets = secrets;
        this.bufferBudget = config.payload() == Payload.CARRIED
                ? new BufferBudget(config.streams().memoryBytesMax())
                : null;
        this.connections = new ConnectionTable(config.connectionsMax());
        this.deadlines = new HostDeadlines(connections);
        this.streams = new StreamMaker(config, this.protocols, counters);
        this.arrivals = newArrivals(config.link());
        this.memoryArrivals = config.memory() == null ? null : newArrivals(config.memory());
        this.pauses = new HostPauses(
                config.pauses(), config.link().rateBps(), config.slack().catchUpNanos());
        this.egresses = new HostEgresses(this, new SeededRandom(secrets.getAsLong()));
        this.accounts = new PeerAccounts(config.peers(), bufferBudget);
        this.handshake = new Handshake(this, accounts, secrets.getAsLong(), secrets.getAsLong());
        this.resets = new Resets(this);
        this.intake = new FrameIntake(config, addresses, connections, handshake, new StatelessResets(this, ended), crc);
    }

    private StampCalibration newArrivals(HostLinkConfig link) {
        return new StampCalibration(link.deviceRateBps(), config.stamping().calibrates());
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
        Connection connection = newConnection(path, newTag(), Lifecycle.State.OPENING);
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
        Objects.requireNonNull(acceptor, "acceptor is null; give one that decides about connections");
        return handshake.listen(port, acceptor);
    }

    /** Accepts no more connections on a port; those that are open stay open. */
    public void stopListening(int port) {
        handshake.stopListening(port);
    }

    /**
     * Takes openings to these addresses from now on. Connections of an address that is ours no longer end after a
     * second, unless it is ours again by then.
     */
    public void setAddresses(List<IpAddress> ours) {
        addresses.set(ours, nowNanos);
    }

    private void endOfRemovedAddresses(long now) {
        Set<IpAddress> removed = addresses.takeRemoved(now);
        connections.forEach(connection -> {
            if (removed.contains(connection.path().local())) {
                connection.input().close(CloseReason.ADDRESS_REMOVED);
            }
        });
    }

    /**
     * Follows a change of the network's Ethernet addresses.
     *
     * @param localMac this host's own
     * @param remoteMacs those of the next hops to remote hosts; connections to others keep theirs
     */
    public void setMacs(long localMac, Map<IpAddress, Long> remoteMacs) {
        intake.setMac(localMac);
        connections.forEach(connection -> {
            Path path = connection.path();
            if (staysHere(path)) {
                return;
            }
            connection.repath(remoteMacs.getOrDefault(path.remote(), path.remoteMac()), localMac);
        });
    }

    /** No change of the network concerns what does not leave the host. */
    private static boolean staysHere(Path path) {
        return path.isInProcess() || SharedHostMac.isOn(path);
    }

    /** {@return the remote hosts of all connections that leave this host} */
    public Set<IpAddress> remotes() {
        Set<IpAddress> remotes = new HashSet<>();
        connections.forEach(connection -> {
            if (!staysHere(connection.path())) {
                remotes.add(connection.path().remote());
            }
        });
        return remotes;
    }

    /**
     * Follows a change of the link's MTU. What is longer than the new one is cut into shorter segments when it is
     * retransmitted. Where the MTU grows, connections try longer segments, up to what they began with. Those through
     * memory keep theirs.
     *
     * @param bytes the largest IP packet; more than the host's configuration says counts as that
     */
    public void setMtu(int bytes) {
        mtuBytes = Math.min(
                Math.max(bytes, HostConfig.MTU_BYTES_MIN), config.link().mtuBytes());
        connections.forEach(connection -> {
            if (connection.sender() != null) {
                connection.sender().limitSegments(mtuBytes(connection.path()) - streams.headerBytes(connection));
            }
        });
    }

    /**
     * The host has a part of its port's link from now on: others send and receive by it too.
     *
     * @param sentPpm the part at which it may send, in parts per million of the configured rate
     * @param receivedPpm the part for which it may give credits
     */
    public void setLinkShare(int sentPpm, int receivedPpm, long now) {
        egresses.setLinkRates(
                RateMath.scalePpmFloor(config.link().rateBps(), sentPpm),
                RateMath.scalePpmFloor(config.link().credits().rateBps(), receivedPpm),
                now);
    }

    /** {@return the largest IP packet of this path now, as far as this host's link or memory says} */
    int mtuBytes(Path path) {
        return config.isInMemory(path) ? config.memory().mtuBytes() : mtuBytes;
    }

    /**
     * Ends an opening that the network has sent back. The message has to quote the opening's tag, which nobody knows
     * who has not seen it; of a connection that stands, nothing that the network says is believed.
     */
    public void onOpeningReturned(long tag, IpAddress remote, int remotePort, CloseReason reason) {
        Connection connection = connections.byTag(tag);
        if (connection != null
                && connection.state() == Lifecycle.State.OPENING
                && connection.path().remote().equals(remote)
                && connection.path().remotePort() == remotePort) {
            connection.input().close(reason);
        }
    }

    /** Registers a callback for connections whose peer has answered nothing for a while. */
    public void setSilenceListener(Consumer<Connection> listener) {
        silenceListener = listener;
    }

    void onSilence(Connection connection) {
        silenceListener.accept(connection);
    }

    /** Ends every connection because the port can move no more frames. */
    public void failPort() {
        connections.forEach(connection -> connection.input().close(CloseReason.PORT_FAILED));
        egresses.clear();
    }

    /** Sets who is told when a connection leaves no trace any more, its time to linger included. */
    public void setForgetListener(Consumer<Connection> listener) {
        forgetListener = listener;
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
        handshake.stopListening();
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
        egresses.releaseAll();
        if (first != null) {
            throw new IllegalStateException("a connection could not be ended: " + first, first);
        }
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

    /** {@return frames of the pool that the host holds between two calls: what waits to leave} */
    public int framesHeld() {
        return egresses.framesHeld();
    }

    // ---- Node

    @Override
    public void onFrame(int portIndex, Frame frame, long now) {
        nowNanos = now;
        StampCalibration stamps = memoryArrivals != null && SharedHostMac.isFrom(frame) ? memoryArrivals : arrivals;
        arrivedNanos = stamps.arrivalNanos(frame.wireBytes(), frame.stampNanos(now), now);
        counters.increment(CounterId.FRAMES_RECEIVED);
        CounterId reason = intake.receive(frame, now);
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
            endOfRemovedAddresses(now);
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

    /**
     * Credits found in the rings after a pause may be as old as the pause. A host that keeps up with what comes has
     * emptied its rings after as long again; one that does not may have full rings at any time.
     */
    @Override
    public void onPause(long pauseNanos, long now) {
        pauses.onPause(pauseNanos, now);
        egresses.makeUp(pauseNanos, now);
        if (pauseNanos >= HostPauses.ANNOUNCED_NANOS_MIN) {
            counters.increment(CounterId.PAUSES);
        }
        if (pauseNanos >= STALE_NANOS) {
            lateUntilNanos = now + pauseNanos;
        }
    }

    @Override
    public void onCaughtUp(long now) {
        lateUntilNanos = now;
    }

    // ---- what connections and the handshake need

    /** {@return whether what comes now may have waited for as long as the host did not run} */
    boolean isAfterPause(long now) {
        return now < lateUntilNanos;
    }

    /** {@return a tag that nobody can guess and no connection has} */
    long newTag() {
        long tag = secrets.getAsLong();
        while (tag == 0
                || connections.byTag(tag) != null
                || handshake.halfOpens().hasTag(tag)) {
            tag = secrets.getAsLong();
        }
        return tag;
    }

    /** {@return how many more connections there are places and memory for} */
    int freeConnectionCount() {
        int places = config.connectionsMax() - connections.size();
        return bufferBudget == null ? places : (int) Math.min(places, bufferBudget.bytesFree() / CONNECTION_BYTES);
    }

    Connection newConnection(Path path, long tag, Lifecycle.State state) {
        int id = connections.freeId();
        if (id < 0) {
            return null;
        }
        PeerAccount account = accounts.of(path.remote());
        account.addConnection(1);
        Connection connection = new Connection(this, id, tag, path, account, state);
        connections.add(connection);
        onPopulationChanged();
        counters.increment(CounterId.CONNECTIONS_OPENED);
        return connection;
    }

    /** What connections are made of is memory too: buffers have the rest of the budget. */
    void onPopulationChanged() {
        if (bufferBudget != null) {
            bufferBudget.setReservedBytes(CONNECTION_BYTES * connections.size()
                    + HALF_OPEN_BYTES * handshake.halfOpens().size());
        }
    }

    /** The connection has ended in order, and has lingered. */
    void onEnded(Connection connection) {
        if (config.liveness().resetsPerSecondMax() > 0) {
            ended.add(connection.localTag());
        }
    }

    /** The connection's protocol has been chosen. */
    void onStreamsOpened(Connection connection) {
        delayMeasuringCount += connection.sender().protocol().measuresDelay() ? 1 : 0;
    }

    @Override
    public boolean measuresDelay() {
        return delayMeasuringCount > 0;
    }

    void forget(Connection connection) {
        connections.remove(connection);
        if (connection.sender() != null && connection.sender().protocol().measuresDelay()) {
            delayMeasuringCount--;
        }
        deadlines.cancel(connection.id());
        connection.account().addConnection(-1);
        accounts.settle(connection.account());
        onPopulationChanged();
        forgetListener.accept(connection);
    }

    Connection findByRemote(long remoteTag, Datagram opening) {
        Connection connection = connections.byRemoteTag(remoteTag);
        return connection != null && opening.isFrom(connection.path()) ? connection : null;
    }

    void rememberRemote(Connection connection) {
        connections.rememberRemote(connection);
    }

    /** Lets the frame at hand leave, which has been turned round. */
    void sendReply(Frame frame) {
        repliedFrame = frame;
        egresses.addReply(frame);
    }

    /** {@return when the frame at hand came, as near to the wire as its port can tell} */
    long arrivedNanos() {
        return arrivedNanos;
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
