package io.weir.bench.compare.end;

import io.weir.transport.jdk.WeirServerSocketFactory;
import io.weir.transport.jdk.WeirSocketFactory;
import io.weir.transport.socket.Transport;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;

/**
 * Weir behind {@link Socket}, used by its streams: what arrives lies in an array of the stream's, as software that uses
 * them has it.
 */
final class JdkStreams implements BlockingStreams {
    private static final int CONNECT_TIMEOUT_MILLIS = 5_000;

    private final Transport transport;
    private final InetSocketAddress remote;
    private ServerSocket listener;

    JdkStreams(Transport transport, InetSocketAddress remote) {
        this.transport = transport;
        this.remote = remote;
    }

    @Override
    public void listen(int port) throws IOException {
        listener = new WeirServerSocketFactory(transport).createServerSocket(port);
    }

    @Override
    public Stream accept() throws IOException {
        return stream(listener.accept());
    }

    @Override
    public Stream connect() throws IOException {
        Socket socket = new WeirSocketFactory(transport).createSocket();
        socket.connect(remote, CONNECT_TIMEOUT_MILLIS);
        return stream(socket);
    }

    private static Stream stream(Socket socket) throws IOException {
        InputStream in = socket.getInputStream();
        OutputStream out = socket.getOutputStream();
        return new Stream() {
            private byte[] incoming = new byte[0];
            private byte[] outgoing = new byte[0];

            @Override
            public int read(ByteBuffer target) throws IOException {
                incoming = ofLength(incoming, target.remaining());
                return in.read(incoming, 0, target.remaining());
            }

            @Override
            public void write(ByteBuffer source) throws IOException {
                outgoing = ofLength(outgoing, source.remaining());
                out.write(outgoing, 0, source.remaining());
            }

            @Override
            public void close() throws IOException {
                socket.close();
            }
        };
    }

    private static byte[] ofLength(byte[] bytes, int length) {
        return bytes.length >= length ? bytes : new byte[length];
    }

    @Override
    public void close() {
        transport.close();
    }
}
