package io.weir.bench.compare.end;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/** The kernel's TCP by blocking channels and direct buffers. */
final class KernelStreams implements BlockingStreams {
    private static final int BACKLOG = 1024;

    private final InetSocketAddress remote;
    private ServerSocketChannel listener;

    KernelStreams(InetSocketAddress remote) {
        this.remote = remote;
    }

    @Override
    public void listen(int port) throws IOException {
        listener = ServerSocketChannel.open();
        listener.setOption(StandardSocketOptions.SO_REUSEADDR, true);
        listener.bind(new InetSocketAddress(port), BACKLOG);
    }

    @Override
    public Stream accept() throws IOException {
        return stream(listener.accept());
    }

    @Override
    public Stream connect() throws IOException {
        return stream(SocketChannel.open(remote));
    }

    private static Stream stream(SocketChannel channel) throws IOException {
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        return new Stream() {
            @Override
            public int read(ByteBuffer target) throws IOException {
                return channel.read(target);
            }

            @Override
            public void write(ByteBuffer source) throws IOException {
                while (source.hasRemaining()) {
                    channel.write(source);
                }
            }

            @Override
            public void close() throws IOException {
                channel.close();
            }
        };
    }

    @Override
    public void close() throws IOException {
        if (listener != null) {
            listener.close();
        }
    }
}
