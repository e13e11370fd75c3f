package io.weir.bench.sockets;

import io.weir.transport.socket.WeirSocket;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Messages by a socket of Weir's, from and into direct buffers. */
final class WeirMessages implements MessageStream {
    private final WeirSocket socket;
    private final ByteBuffer message;

    WeirMessages(WeirSocket socket, int sizeBytes) {
        this.socket = socket;
        this.message = ByteBuffer.allocateDirect(sizeBytes);
    }

    @Override
    public void send() throws IOException {
        socket.write(message.clear());
    }

    @Override
    public boolean receive() throws IOException {
        message.clear();
        while (message.hasRemaining()) {
            if (socket.read(message) < 0) {
                return false;
            }
        }
        return true;
    }
}
