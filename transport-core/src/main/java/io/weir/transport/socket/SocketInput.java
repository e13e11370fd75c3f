package io.weir.transport.socket;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;

/** A socket's input as a stream. */
final class SocketInput extends InputStream {
    private final WeirSocket socket;

    SocketInput(WeirSocket socket) {
        this.socket = socket;
    }

    @Override
    public int read() throws IOException {
        // Its own, as threads may share the stream.
        byte[] single = new byte[1];
        return read(single, 0, 1) < 0 ? -1 : single[0] & 0xFF;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        return socket.read(ByteBuffer.wrap(target, offset, length));
    }

    @Override
    public int available() throws IOException {
        return socket.available();
    }

    @Override
    public void close() {
        socket.close();
    }
}
