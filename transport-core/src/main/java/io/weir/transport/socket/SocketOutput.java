package io.weir.transport.socket;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;

/** A socket's output as a stream. No channel of the JDK's, whose lock would pin virtual threads. */
final class SocketOutput extends OutputStream {
    private final WritableByteChannel socket;

    SocketOutput(WritableByteChannel socket) {
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
    public void close() throws IOException {
        socket.close();
    }
}
