package io.weir.cli.perf;

import io.weir.transport.host.CloseReason;
import io.weir.transport.host.Connection;
import io.weir.transport.protocol.ProtocolConfig;

/** How far one stream has come, at one end. */
final class StreamTally {
    private final int stream;
    private final boolean isSender;
    private final Runnable onDone;
    /** Null until there is one. Written once, by its loop's thread; any thread may read it. */
    private volatile Connection connection;

    /** Null until the stream has a connection; written once, by its loop's thread. */
    private ProtocolConfig protocol;
    // By System.nanoTime: when this end started, 0 before, and when it was done, meaningless before {@code isDone}.
    private long startNanos;
    private long endNanos;
    /** Set once; nothing more happens to the stream after it. */
    private boolean isDone;
    /** Why it failed, or null. Written by its loop's thread; any thread may read it. */
    private volatile String failure;

    /**
     * Creates the tally of a stream that has no connection yet.
     *
     * @param onDone runs once, when nothing more will happen to the stream
     */
    StreamTally(int stream, boolean isSender, Runnable onDone) {
        this.stream = stream;
        this.isSender = isSender;
        this.onDone = onDone;
    }

    int stream() {
        return stream;
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

    /** {@return this end's parameters of the protocol that schedules it} */
    ProtocolConfig protocol() {
        return protocol;
    }

    boolean isDone() {
        return isDone;
    }

    String failure() {
        return failure;
    }

    void connected(Connection opened) {
        connection = opened;
    }

    /** Sets what schedules it. */
    void scheduledBy(ProtocolConfig parameters) {
        protocol = parameters;
    }

    void started() {
        startNanos = System.nanoTime();
    }

    /** {@return how long it took, or has taken until now; 0 if all of it came before this end started} */
    long nanos() {
        return startNanos == 0 ? 0 : Math.max(0, (isDone ? endNanos : System.nanoTime()) - startNanos);
    }

    /** {@return the smoothed round-trip time that this end knows, 0 when it knows none} */
    long rttNanos() {
        return connection == null ? 0 : connection.smoothedRttNanos();
    }

    /** All went well. */
    void done() {
        end(null);
    }

    /** It did not. */
    void failed(String reason) {
        end(reason);
    }

    /** The connection is over; that is in order once the stream is done, or when both ends have ended theirs. */
    void closed(CloseReason reason) {
        end(reason == CloseReason.FINISHED ? null : "the connection ended: " + reason.phrase());
    }

    private void end(String reason) {
        if (!isDone) {
            failure = reason;
            isDone = true;
            endNanos = System.nanoTime();
            onDone.run();
        }
    }
}
