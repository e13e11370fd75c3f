package io.weir.transport.socket;

import io.weir.transport.host.CloseReason;
import io.weir.transport.host.Connection;
import io.weir.transport.host.ConnectionHandler;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * One end of a {@link Rehearsal}'s connection: the sender keeps its buffer full, the receiver counts bytes. It comes
 * in three classes that do the same, so that calls of handlers stay calls when the program's handler is the next
 * class ({@link Bystander}).
 */
class RehearsalEnd implements ConnectionHandler {
    /** Connections that make up one of each class. */
    static final int KINDS = 3;

    private static final int CHUNK_BYTES = 1 << 16;

    /** What a sender writes again and again; null once it writes no more, and at a receiver. */
    private UnsafeBuffer chunk;
    /** Null until it is open. */
    private Connection connection;

    private long writtenBytes;
    private long receivedBytes;
    private boolean isConnected;
    private CloseReason closeReason;

    private RehearsalEnd(UnsafeBuffer chunk) {
        this.chunk = chunk;
    }

    /** {@return the sender of the connection with that number} */
    static RehearsalEnd sender(int index) {
        return ofKind(index, new UnsafeBuffer(new byte[CHUNK_BYTES]));
    }

    /** {@return the receiver of the connection with that number} */
    static RehearsalEnd receiver(int index) {
        return ofKind(index, null);
    }

    private static RehearsalEnd ofKind(int index, UnsafeBuffer chunk) {
        return switch (index % KINDS) {
            case 0 -> new RehearsalEnd(chunk);
            case 1 -> new Second(chunk);
            default -> new Third(chunk);
        };
    }

    @Override
    public void onConnected(Connection opened) {
        connection = opened;
        isConnected = true;
        onWritable(opened);
    }

    @Override
    public void onWritable(Connection connection) {
        int written = CHUNK_BYTES;
        while (chunk != null && written == CHUNK_BYTES) {
            written = connection.write(chunk, 0, CHUNK_BYTES);
            writtenBytes += Math.max(0, written);
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

    long writtenBytes() {
        return writtenBytes;
    }

    /** Writes no more, and ends the connection in order when the other end does. */
    void finish() {
        chunk = null;
        connection.shutdownOutput();
    }

    private static final class Second extends RehearsalEnd {
        Second(UnsafeBuffer chunk) {
            super(chunk);
        }
    }

    private static final class Third extends RehearsalEnd {
        Third(UnsafeBuffer chunk) {
            super(chunk);
        }
    }
}
