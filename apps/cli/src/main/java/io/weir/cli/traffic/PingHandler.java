package io.weir.cli.traffic;

import io.weir.transport.host.Connection;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Sends a message, and the next when all of it has come back. */
public final class PingHandler extends QuietHandler {
    private final UnsafeBuffer message;
    private final RoundTripListener listener;
    /** When the message left, as the listener says. */
    private long sentNanos;
    /** Bytes of the message that have not come back. */
    private int missingBytes;

    /**
     * Creates a handler.
     *
     * @param failure where to say that the connection has ended unasked
     */
    public PingHandler(int messageBytes, RoundTripListener listener, AtomicReference<String> failure) {
        super("the asking side of an exchange", failure);
        this.message = new UnsafeBuffer(new byte[messageBytes]);
        this.listener = listener;
    }

    @Override
    public void onConnected(Connection connection) {
        send(connection);
    }

    private void send(Connection connection) {
        sentNanos = listener.begin();
        missingBytes = message.capacity();
        connection.write(message, 0, message.capacity());
    }

    @Override
    public int onData(Connection connection, DirectBuffer buffer, int index, int length) {
        missingBytes -= length;
        if (missingBytes == 0 && listener.end(sentNanos)) {
            send(connection);
        }
        return length;
    }
}
