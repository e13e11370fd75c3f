package io.weir.bench.compare.end;

import io.weir.transport.jdk.WeirServerSocketFactory;
import io.weir.transport.jdk.WeirSocketFactory;
import io.weir.transport.socket.Transport;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import javax.net.ServerSocketFactory;
import javax.net.SocketFactory;

/**
 * {@link Socket}s, Weir's or the Java runtime's, used by their streams: what arrives lies in an array of the stream's,
 * as software that uses them has it.
 */
final class JdkStreams implements BlockingStreams {
    private static final int CONNECT_TIMEOUT_MILLIS = 5_000;

    private static final int BACKLOG = 1024;

    private final SocketFactory sockets;
    private final ServerSocketFactory listeners;
    private final Closeable below;
    private final InetSocketAddress remote;
    private ServerSocket listener;

    private JdkStreams(
            SocketFactory sockets, ServerSocketFactory listeners, Closeable below, InetSocketAddress remote) {
        this.sockets = sockets;
        this.listeners = listeners;
        this.below = below;
        this.remote = remote;
    }

    static JdkStreams overWeir(Transport transport, InetSocketAddress remote) {
        return new JdkStreams(
                new WeirSocketFactory(transport), new WeirServerSocketFactory(transport), transport::close, remote);
    }

    /** {@return those of a program that knows nothing of Weir} */
    static JdkStreams ofTheRuntime(InetSocketAddress remote) {
        return new JdkStreams(SocketFactory.getDefault(), ServerSocketFactory.getDefault(), () -> {}, remote);
    }

    @Override
    public void listen(int port) throws IOException {
        listener = listeners.createServerSocket(port, BACKLOG);
    }

    @Override
    public Stream accept() throws IOException {
        return stream(listener.accept());
    }

    @Override
    public Stream connect() throws IOException {
        Socket socket = sockets.createSocket();
        socket.connect(remote, CONNECT_TIMEOUT_MILLIS);
        return stream(socket);
    }

    private static Stream stream(Socket socket) throws IOException {
        socket.setTcpNoDelay(true);
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
    public void close() throws IOException {
        if (listener != null) {
            listener.close();
        }
        below.close();
    }
}
