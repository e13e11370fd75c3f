package io.weir.bench.compare.end;

import io.weir.transport.socket.Transport;
import io.weir.transport.socket.WeirServerSocket;
import io.weir.transport.socket.WeirSocket;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;

/** Weir's blocking sockets. */
final class WeirStreams implements BlockingStreams {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

    private final Transport transport;
    private final InetSocketAddress remote;
    private WeirServerSocket listener;

    WeirStreams(Transport transport, InetSocketAddress remote) {
        this.transport = transport;
        this.remote = remote;
    }

    @Override
    public void listen(int port) throws IOException {
        listener = transport.listen(port);
    }

    @Override
    public Stream accept() throws IOException {
        return stream(listener.accept());
    }

    @Override
    public Stream connect() throws IOException {
        return stream(transport.connect(remote, CONNECT_TIMEOUT));
    }

    private static Stream stream(WeirSocket socket) {
        return new Stream() {
            @Override
            public int read(ByteBuffer target) throws IOException {
                return socket.read(target);
            }

            @Override
            public void write(ByteBuffer source) throws IOException {
                socket.write(source);
            }

            @Override
            public void close() {
                socket.close();
            }
        };
    }

    @Override
    public void close() {
        transport.close();
    }
}
