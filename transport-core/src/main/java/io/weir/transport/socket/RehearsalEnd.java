package io.weir.transport.socket;

import io.weir.transport.host.CloseReason;
import io.weir.transport.host.Connection;
import io.weir.transport.host.ConnectionHandler;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** One end of a {@link Rehearsal}'s connection: the sender keeps its buffer full, the receiver counts bytes. */
final class RehearsalEnd implements ConnectionHandler {
    private static final int CHUNK_BYTES = 1 << 16;

    private final UnsafeBuffer chunk;
    private long receivedBytes;
    private boolean isConnected;
    private CloseReason closeReason;

    private RehearsalEnd(UnsafeBuffer chunk) {
        this.chunk = chunk;
    }

    static RehearsalEnd sender() {
        return new RehearsalEnd(new UnsafeBuffer(new byte[CHUNK_BYTES]));
    }

    static RehearsalEnd receiver() {
        return new RehearsalEnd(null);
    }

    @Override
    public void onConnected(Connection connection) {
        isConnected = true;
        onWritable(connection);
    }

    @Override
    public void onWritable(Connection connection) {
        int written = CHUNK_BYTES;
        while (chunk != null && written == CHUNK_BYTES) {
            written = connection.write(chunk, 0, CHUNK_BYTES);
        }
    }

    @Override
    public int onData(Connection connection, DirectBuffer buffer, int index, int length) {
        receivedBytes += length;
        return length;
    }

    @Override
    public void onEnd(Connection connection) {
        connection.shutdownOutput();
    }

    @Override
    public void onClosed(Connection connection, CloseReason reason) {
        closeReason = reason;
    }

    boolean isConnected() {
        return isConnected;
    }

    /** {@return why it ended, or null while it has not} */
    CloseReason closeReason() {
        return closeReason;
    }

    long receivedBytes() {
        return receivedBytes;
    }
}
