package io.weir.cli.perf;

import io.weir.cli.perf.carrier.Link;
import io.weir.cli.perf.carrier.LinkFigures;
import io.weir.cli.perf.carrier.LinkHandler;
import io.weir.transport.host.CloseReason;
import java.util.function.BooleanSupplier;

/** One end of one stream of a test, and how far it has come. It belongs to the loop's thread. */
abstract class DataStream implements LinkHandler {
    private final int index;
    private final boolean isSender;
    private final Owner owner;
    /** Null until there is one. Written once, by its loop's thread; any thread may read it. */
    private volatile Link link;
    /** How the connection went so far, by all looks at it. */
    private final FiguresSeen figures = new FiguresSeen();
    // By System.nanoTime: when this end started, 0 before, and when it was done, meaningless before {@code isDone}.
    private long startNanos;
    private long endNanos;
    /** What this end knew to have arrived when the measurement began; set once. */
    private long omittedBytes;
    /** Set once; nothing more happens to the stream after it. */
    private boolean isDone;
    /** Why it failed, or null. Written by its loop's thread; any thread may read it. */
    private volatile String failure;
    /** Why the peer, or the way to it, is gone, or null. Written by its loop's thread; any thread may read it. */
    private volatile CloseReason lostPeer;

    /** The test that a stream is part of. */
    interface Owner {
        /** A connection that this end has opened for the stream is open. */
        void onConnected(DataStream stream, Link link);

        /** Has the stream's loop ask {@code work} in each cycle, until it says false. */
        void eachCycle(DataStream stream, BooleanSupplier work);

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

    Link link() {
        return link;
    }

    boolean isConnected() {
        return link != null;
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

    /** Gives the stream its connection. */
    void attach(Link opened) {
        link = opened;
    }

    /** {@return payload bytes that this end knows to have arrived: acknowledged to a sender, read by a receiver} */
    abstract long bytes();

    /** {@return how many of them do not count, since they came before the measurement began} */
    final long omittedBytes() {
        return omittedBytes;
    }

    /** The measurement begins: what was before does not count. */
    void omit() {
        omittedBytes = bytes();
        startNanos = System.nanoTime();
        figures.restart(link.figures());
    }

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

    /** {@return how the connection goes now, which {@link #figuresSeen} remembers} */
    LinkFigures look() {
        return link == null ? LinkFigures.NONE : figures.look(link.figures());
    }

    /** {@return how the connection went, by all looks at it} */
    FiguresSeen figuresSeen() {
        return figures;
    }

    /** {@return this end's report of the stream} */
    StreamReport report() {
        return StreamReport.of(this, null, null);
    }

    /** {@return the same of a stream whose payload is checked} */
    final StreamReport report(String sha256, Long firstWrongOffset) {
        return StreamReport.of(this, sha256, firstWrongOffset);
    }

    /** Has the stream's loop ask {@code work} in each cycle, until it says false or the stream has ended. */
    final void eachCycle(BooleanSupplier work) {
        owner.eachCycle(this, () -> !isDone && work.getAsBoolean());
    }

    @Override
    public void onConnected(Link opened) {
        owner.onConnected(this, opened);
    }

    /** The end of a sender waits for that of its peer, or for the connection's end. */
    @Override
    public void onEnd(Link ended) {}

    /** A close is in order once the stream is done, or when both ends have ended theirs. */
    @Override
    public void onClosed(Link closed, CloseReason reason) {
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
