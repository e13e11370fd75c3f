package io.weir.cli.perf;

import io.weir.transport.host.Connection;
import org.agrona.concurrent.UnsafeBuffer;

/** Writes messages whose content does not matter, as far as there is room and the rest when there is. */
final class Filler {
    private final UnsafeBuffer message;
    private int leftBytes;

    Filler(int messageBytesMax) {
        message = new UnsafeBuffer(new byte[messageBytesMax]);
    }

    /** Writes a message; the one before has been written. */
    void send(Connection connection, int messageBytes) {
        leftBytes = messageBytes;
        onWritable(connection);
    }

    void onWritable(Connection connection) {
        if (leftBytes > 0) {
            leftBytes -= connection.write(message, 0, leftBytes);
        }
    }
}
