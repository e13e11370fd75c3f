package io.weir.bench.compare.end;

import io.weir.transport.host.CloseReason;
import io.weir.transport.host.Connection;
import io.weir.transport.host.ConnectionHandler;
import io.weir.transport.socket.Transport;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.function.Supplier;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Weir's connections by handlers on the loop's thread, as {@code weir perf} has them. */
final class WeirPipes implements Pipes {
    private static final int MESSAGE_BYTES = 128 * 1024;

    private final Transport transport;
    private final InetSocketAddress remote;
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[MESSAGE_BYTES]);

    WeirPipes(Transport transport, InetSocketAddress remote) {
        this.transport = transport;
        this.remote = remote;
    }

    @Override
    public void listen(int port, Supplier<PipeUser> users) throws IOException {
        transport.listen(port, connection -> new Handler(users.get()));
    }

    @Override
    public void connect(PipeUser user) {
        try {
            transport.connect(remote, new Handler(user));
        } catch (IOException e) {
            user.onClosed(null, e.toString());
        }
    }

    @Override
    public PipeCounts counts() {
        return PipeCounts.of(transport.counters());
    }

    @Override
    public void close() {
        transport.close();
    }

    private final class Handler implements ConnectionHandler, Pipe {
        private final PipeUser user;
        private Connection connection;
        /** Whether the other end has ended its stream, and this end its own. */
        private boolean isEnded;

        Handler(PipeUser user) {
            this.user = user;
        }

        @Override
        public int write(int bytes) {
            int length = Math.min(bytes, MESSAGE_BYTES);
            return isEnded ? 0 : connection.write(message, 0, length);
        }

        @Override
        public void close() {
            connection.shutdownOutput();
        }

        @Override
        public void onConnected(Connection opened) {
            connection = opened;
            user.onOpen(this);
        }

        @Override
        public int onData(Connection from, DirectBuffer buffer, int index, int length) {
            user.onBytes(this, length);
            return length;
        }

        @Override
        public void onEnd(Connection from) {
            isEnded = true;
            from.shutdownOutput();
        }

        @Override
        public void onWritable(Connection to) {
            user.onWritable(this);
        }

        @Override
        public void onClosed(Connection from, CloseReason reason) {
            user.onClosed(this, reason.toString());
        }
    }
}
