package io.weir.transport.host;

import org.agrona.DirectBuffer;

/**
 * The application's side of a connection, run to completion on the thread that owns the host. It may call the
 * connection's methods; it must not block.
 */
public interface ConnectionHandler {
    /** The connection is open in both directions. */
    void onConnected(Connection connection);

    /**
     * Bytes of the stream, in order, where they lie: in the frame that brought them, or in the receive buffer. They are
     * valid during the call.
     *
     * @return how many were taken. Those left stay in the receive buffer and are offered again when more arrives or
     *     {@link Connection#resumeReading} is called; so back-pressure is to take less.
     */
    int onData(Connection connection, DirectBuffer buffer, int index, int length);

    /** The peer has ended its stream, and all its bytes have been taken. */
    void onEnd(Connection connection);

    /** The send buffer, full before, has room again. */
    void onWritable(Connection connection);

    /** {@return whether another thread reads the receive buffer, even after the connection's end} */
    default boolean readsElsewhere() {
        return false;
    }

    /** The connection is over; nothing follows. */
    void onClosed(Connection connection, CloseReason reason);
}
