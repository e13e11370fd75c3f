package io.weir.cli.perf;

import io.weir.transport.host.CloseReason;
import io.weir.transport.host.Connection;
import io.weir.transport.host.ConnectionHandler;
import io.weir.transport.protocol.ProtocolConfig;

/** One end of one stream of a test, and how far it has come. It belongs to the loop's thread. */
abstract class DataStream implements ConnectionHandler {
    private final int index;
    private final boolean isSender;
    private final Owner owner;
    /** Null until there is one. Written once, by its loop's thread; any thread may read it. */
    private volatile Connection connection;
    /** This end's parameters of the protocol; null until the stream has a connection, written once, with it. */
    private ProtocolConfig protocol;
    // By System.nanoTime: when this end started, 0 before, and when it was done, meaningless before {@code isDone}.
    private long startNanos;
    private long endNanos;
    /** Set once; nothing more happens to the stream after it. */
    private boolean isDone;
    /** Why it failed, or null. Written by its loop's thread; any thread may read it. */
    private volatile String failure;
    /** Why the peer, or the way to it, is gone, or null. Written by its loop's thread; any thread may read it. */
    private volatile CloseReason lostPeer;

    /** The test that a stream is part of. */
    interface Owner {
        /** A connection that this end has opened for the stream is open. */
        void onConnected(DataStream stream, Connection connection);

        /** Nothing more will happen to the stream. Called once. */
        void onDone();
    }

    DataStream(int index, boolean isSender, Owner owner) {
        this.index = index;
        this.isSender = isSender;
        this.owner = owner;
    }

    int index() {
        return index;
    }

    boolean isSender() {
        return isSender;
    }

    Connection connection() {
        return connection;
    }

    boolean isConnected() {
        return connection != null;
    }

    String failure() {
        return failure;
    }

    /**
     * {@return whether a connection that ended like this shows that the peer, or the way to it, is gone} What a peer
     * ends itself, it explains by the control connection.
     */
    static boolean isLoss(CloseReason reason) {
        return switch (reason) {
            case TIMED_OUT, FORGOTTEN, INTERFACE_DELETED, BROKER_ENDED, MTU_TOO_SMALL, ADDRESS_REMOVED, HOST_CLOSED ->
                true;
            default -> false;
        };
    }

    /** {@return why the peer, or the way to it, is gone for the other streams too, or null} */
    CloseReason lostPeer() {
        return lostPeer;
    }

    /** Gives the stream its connection, and this end's parameters of the protocol that schedules it. */
    void attach(Connection opened, ProtocolConfig parameters) {
        connection = opened;
        protocol = parameters;
    }

    /** {@return payload bytes that this end knows to have arrived: acknowledged to a sender, read by a receiver} */
    abstract long bytes();

    /** The test begins. */
    void start() {
        startNanos = System.nanoTime();
    }

    /** The time is over: a sender ends its stream; a receiver waits for that. */
    void stop() {}

    /** Time has passed: what a rate limit allows by now may go. */
    void onTick() {}

    /** {@return how long it took, or has taken until now; 0 if all of it came before this end started} */
    final long nanos() {
        return startNanos == 0 ? 0 : Math.max(0, (isDone ? endNanos : System.nanoTime()) - startNanos);
    }

    /** {@return the smoothed round-trip time that this end knows, 0 when it knows none} */
    long rttNanos() {
        return connection == null ? 0 : connection.smoothedRttNanos();
    }

    /** {@return this end's report of the stream} */
    StreamReport report() {
        return StreamReport.of(this, protocol, null, null);
    }

    /** {@return the same of a stream whose payload is checked} */
    final StreamReport report(String sha256, Long firstWrongOffset) {
        return StreamReport.of(this, protocol, sha256, firstWrongOffset);
    }

    @Override
    public void onConnected(Connection opened) {
        owner.onConnected(this, opened);
    }

    /** The end of a sender waits for that of its peer, or for the connection's end. */
    @Override
    public void onEnd(Connection ended) {}

    /** A close is in order once the stream is done, or when both ends have ended theirs. */
    @Override
    public void onClosed(Connection closed, CloseReason reason) {
        lostPeer = isLoss(reason) ? reason : null;
        end(reason == CloseReason.FINISHED ? null : "the connection ended: " + reason.phrase());
    }

    /** Ends the stream, unless it is done; {@code reason} is why it failed, or null. */
    final void end(String reason) {
        if (!isDone) {
            failure = reason;
            isDone = true;
            endNanos = System.nanoTime();
            owner.onDone();
        }
    }
}
