package io.weir.bench.sockets;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;

/** Messages by {@code java.net.Socket}, through its streams, as its users have it. */
final class JdkMessages implements MessageStream {
    private final InputStream input;
    private final OutputStream output;
    private final byte[] message;

    JdkMessages(Socket socket, int sizeBytes) throws IOException {
        this.input = socket.getInputStream();
        this.output = socket.getOutputStream();
        this.message = new byte[sizeBytes];
    }

    @Override
    public void send() throws IOException {
        output.write(message);
    }

    @Override
    public boolean receive() throws IOException {
        return input.readNBytes(message, 0, message.length) == message.length;
    }
}
