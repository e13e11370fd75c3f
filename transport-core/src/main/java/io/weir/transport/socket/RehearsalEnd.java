package io.weir.transport.socket;

import io.weir.transport.host.CloseReason;
import io.weir.transport.host.Connection;
import io.weir.transport.host.ConnectionHandler;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * One end of a {@link Rehearsal}'s connection: the sender keeps its buffer full, the receiver counts bytes. A visitor
 * sends one short message and ends the connection at the answer; who is visited answers. It comes
 * in three classes that do the same, so that calls of handlers stay calls when the program's handler is the next
 * class ({@link Bystander}).
 */
class RehearsalEnd implements ConnectionHandler {
    /** Connections that make up one of each class. */
    static final int KINDS = 3;

    private static final int CHUNK_BYTES = 1 << 16;
    private static final int MESSAGE_BYTES = 64;

    /** What it does: a stream's two ends, and a message's. */
    private enum Part {
        SENDER,
        RECEIVER,
        VISITOR,
        VISITED
    }

    private final Part part;
    /** What a sender writes again and again, and a visitor once; null once it writes no more, and at the other ends. */
    private UnsafeBuffer chunk;
    /** Null until it is open. */
    private Connection connection;

    /** How often bytes were offered to this end. */
    private long offers;
    // Stream bytes so far, and how far the connection has come; written by the loop's thread in the rehearsal.
    private long writtenBytes;
    private long receivedBytes;
    private boolean isConnected;
    private CloseReason closeReason;

    private RehearsalEnd(Part part) {
        this.part = part;
        chunk = switch (part) {
            case SENDER -> new UnsafeBuffer(new byte[CHUNK_BYTES]);
            case VISITOR -> new UnsafeBuffer(new byte[MESSAGE_BYTES]);
            case RECEIVER, VISITED -> null;
        };
    }

    /** {@return the sender of the connection with that number} */
    static RehearsalEnd sender(int index) {
        return ofKind(index, Part.SENDER);
    }

    /** {@return the receiver of the connection with that number} */
    static RehearsalEnd receiver(int index) {
        return ofKind(index, Part.RECEIVER);
    }

    /** {@return who opens the connection of the visit with that number} */
    static RehearsalEnd visitor(int index) {
        return ofKind(index, Part.VISITOR);
    }

    /** {@return who answers in the visit with that number} */
    static RehearsalEnd visited(int index) {
        return ofKind(index, Part.VISITED);
    }

    private static RehearsalEnd ofKind(int index, Part part) {
        return switch (index % KINDS) {
            case 0 -> new RehearsalEnd(part);
            case 1 -> new Second(part);
            default -> new Third(part);
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
        boolean hasRoom = true;
        while (chunk != null && hasRoom) {
            int written = connection.write(chunk, 0, chunk.capacity());
            hasRoom = written == chunk.capacity();
            writtenBytes += Math.max(0, written);
            if (part == Part.VISITOR) {
                chunk = null;
            }
        }
    }

    @Override
    public int onData(Connection connection, DirectBuffer buffer, int index, int length) {
        offers++;
        if (isRefusing()) {
            return 0;
        }
        receivedBytes += length;
        if (part == Part.VISITED) {
            connection.write(buffer, index, length);
        } else if (part == Part.VISITOR && receivedBytes == MESSAGE_BYTES) {
            connection.shutdownOutput();
        }
        return length;
    }

    /** {@return whether it takes nothing for now}; only a slow reader ever does. */
    boolean isRefusing() {
        return false;
    }

    /** Takes what was refused. */
    void resume() {
        if (isRefusing()) {
            offers = 0;
            connection.resumeReading();
        }
    }

    @Override
    public void onEnd(Connection connection) {
        connection.shutdownOutput();
    }

    @Override
    public void onClosed(Connection connection, CloseReason reason) {
        closeReason = reason;
    }

    boolean isReceiver() {
        return part == Part.RECEIVER;
    }

    long offers() {
        return offers;
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
        Second(Part part) {
            super(part);
        }
    }

    /** Of this kind receivers are slow: what they refuse fills the receive buffer, and its window closes. */
    private static final class Third extends RehearsalEnd {
        private static final long OFFERS_TAKEN = 400;

        Third(Part part) {
            super(part);
        }

        @Override
        boolean isRefusing() {
            return isReceiver() && offers() > OFFERS_TAKEN;
        }
    }
}
