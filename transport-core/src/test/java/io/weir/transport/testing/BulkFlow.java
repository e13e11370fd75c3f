package io.weir.transport.testing;

import io.weir.transport.host.CloseReason;
import io.weir.transport.host.Connection;
import io.weir.transport.host.ConnectionHandler;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** An application for tests: always keeps its send buffer full, or counts what it receives. */
public final class BulkFlow implements ConnectionHandler {
    private static final int CHUNK_BYTES = 65_536;
    private static final UnsafeBuffer CHUNK = new UnsafeBuffer(new byte[CHUNK_BYTES]);

    private final boolean isSender;
    private long receivedBytes;
    private Connection connection;
    private CloseReason closeReason;

    private BulkFlow(boolean isSender) {
        this.isSender = isSender;
    }

    /** {@return the sending end} */
    public static BulkFlow sender() {
        return new BulkFlow(true);
    }

    /** {@return the receiving end} */
    public static BulkFlow receiver() {
        return new BulkFlow(false);
    }

    /** Fills the send buffer of a connection that is not established yet. */
    public void fillEarly(Connection early) {
        connection = early;
        fill();
    }

    private void fill() {
        int written = CHUNK_BYTES;
        while (isSender && written == CHUNK_BYTES) {
            written = connection.write(CHUNK, 0, CHUNK_BYTES);
        }
    }

    @Override
    public void onConnected(Connection newConnection) {
        connection = newConnection;
        fill();
    }

    @Override
    public int onData(Connection from, DirectBuffer buffer, int index, int length) {
        receivedBytes += length;
        return length;
    }

    @Override
    public void onEnd(Connection from) {
        from.shutdownOutput();
    }

    @Override
    public void onWritable(Connection to) {
        fill();
    }

    @Override
    public void onClosed(Connection from, CloseReason reason) {
        closeReason = reason;
    }

    /** {@return payload bytes received} */
    public long receivedBytes() {
        return receivedBytes;
    }

    /** {@return the connection, once there is one} */
    public Connection connection() {
        return connection;
    }

    /** {@return how the connection ended, or null} */
    public CloseReason closeReason() {
        return closeReason;
    }
}
