package io.weir.netty;

import io.weir.transport.host.CloseReason;
import io.weir.transport.host.Connection;
import io.weir.transport.host.ConnectionHandler;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;

/**
 * What the stack tells a channel, within a cycle: noted here, and told to the pipeline after the cycle. Bytes stay in
 * the receive buffer until the channel reads them, so that the peer gets no more credits than fit.
 */
final class ConnectionEvents implements ConnectionHandler {
    private static final long CLOSE_NANOS = TimeUnit.SECONDS.toNanos(30);

    /** Called within a cycle when there is something to tell. */
    private final Runnable onEvent;
    /** Null until the connection stands, or has failed. */
    private Connection connection;
    /** Whether it has stood. */
    private boolean isConnected;
    /** Whether there is room to write again that nobody has used yet. */
    private boolean isWritable;
    /** Null until the connection is over. */
    private CloseReason reason;
    /** Whether what comes is thrown away: nobody reads any more. */
    private boolean isDiscarding;
    /** Bytes that may still be thrown away before the peer is told by a reset. */
    private long discardBytesMax = Long.MAX_VALUE;

    ConnectionEvents(Runnable onEvent) {
        this.onEvent = onEvent;
    }

    /** {@return the connection, or null before it stands or has failed} */
    Connection connection() {
        return connection;
    }

    /** {@return whether the connection stands, or stood} */
    boolean isConnected() {
        return isConnected;
    }

    /** {@return how it ended, or null} */
    CloseReason reason() {
        return reason;
    }

    /** {@return whether there was room to write again since the last call} */
    boolean takeWritable() {
        boolean was = isWritable;
        isWritable = false;
        return was;
    }

    /** Throws away what comes from now on. */
    void discard() {
        isDiscarding = true;
    }

    /**
     * Ends a connection that nobody reads from any more: at once, or once the peer has got what was written. It is
     * reset when more comes than the peer can have sent before it knew: as TCP does it for a socket that is closed,
     * which answers the first byte so.
     *
     * @param lingerSeconds how long what was written may make no progress, 0 to reset at once, or -1
     */
    void end(Connection ended, int lingerSeconds) {
        if (lingerSeconds == 0) {
            isDiscarding = true;
            ended.abort();
        } else if (reason == null) {
            ended.shutdownOutput();
            isDiscarding = true;
            discardBytesMax = ended.receiveBuffer().capacityBytes();
            ended.closeWithin(lingerSeconds > 0 ? TimeUnit.SECONDS.toNanos(lingerSeconds) : CLOSE_NANOS);
            ended.resumeReading();
        }
        if (reason != null) {
            ended.receiveBuffer().finishReading(true);
        }
    }

    @Override
    public void onConnected(Connection opened) {
        connection = opened;
        isConnected = true;
        onEvent.run();
    }

    @Override
    public int onData(Connection from, DirectBuffer buffer, int index, int length) {
        if (!isDiscarding) {
            onEvent.run();
            return 0;
        }
        discardBytesMax -= length;
        if (discardBytesMax < 0 && from.acknowledgedBytes() == from.sendBuffer().endOffset()) {
            from.abort();
        }
        return length;
    }

    @Override
    public boolean readsElsewhere() {
        return !isDiscarding;
    }

    @Override
    public void onEnd(Connection from) {
        onEvent.run();
    }

    @Override
    public void onWritable(Connection to) {
        isWritable = true;
        onEvent.run();
    }

    @Override
    public void onClosed(Connection ended, CloseReason end) {
        connection = ended;
        reason = end;
        onEvent.run();
    }
}
