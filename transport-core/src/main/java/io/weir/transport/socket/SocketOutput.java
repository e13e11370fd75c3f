package io.weir.transport.socket;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;

/** A socket's output as a stream. */
final class SocketOutput extends OutputStream {
    private final WeirSocket socket;

    SocketOutput(WeirSocket socket) {
        this.socket = socket;
    }

    @Override
    public void write(int octet) throws IOException {
        write(new byte[] {(byte) octet}, 0, 1);
    }

    @Override
    public void write(byte[] source, int offset, int length) throws IOException {
        socket.write(ByteBuffer.wrap(source, offset, length));
    }

    @Override
    public void close() {
        socket.close();
    }
}
