package io.weir.bench.latency;

import io.weir.transport.host.CloseReason;
import io.weir.transport.host.Connection;
import io.weir.transport.host.ConnectionHandler;
import io.weir.transport.runtime.IdleMode;
import io.weir.transport.socket.Transport;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Weir's handlers, which run to completion on the loop's own thread: one thread a side. */
final class WeirHandlers implements Contender {
    private final IdleMode idleMode;

    WeirHandlers(IdleMode idleMode) {
        this.idleMode = idleMode;
    }

    @Override
    public String label() {
        return "Weir handlers, " + idleMode;
    }

    @Override
    public void run(PingPongNetwork network, PingPongOptions options, RoundTrips trips) throws Exception {
        boolean pin = idleMode == IdleMode.BUSY_SPIN || options.pin();
        try (Transport server = network.openServer(idleMode);
                Transport client = network.openClient(idleMode)) {
            if (pin) {
                server.execute(now -> EndThread.pin(EndThread.SERVER_CORE));
                client.execute(now -> EndThread.pin(EndThread.CLIENT_CORE));
            }
            server.listen(network.serverAddress().getPort(), connection -> new Echo());
            client.connect(network.serverAddress(), new Ping(options.sizeBytes(), trips));
            trips.await();
        }
    }

    /** Sends back what comes. */
    private static final class Echo implements ConnectionHandler {
        @Override
        public void onConnected(Connection connection) {}

        @Override
        public int onData(Connection connection, DirectBuffer buffer, int index, int length) {
            return connection.write(buffer, index, length);
        }

        @Override
        public void onEnd(Connection connection) {}

        @Override
        public void onWritable(Connection connection) {}

        @Override
        public void onClosed(Connection connection, CloseReason reason) {}
    }

    /** Sends a message, and the next when all of it has come back. */
    private static final class Ping implements ConnectionHandler {
        private final UnsafeBuffer message;
        private final RoundTrips trips;
        private int bytesMissing;
        private long sentNanos;

        Ping(int sizeBytes, RoundTrips trips) {
            this.message = new UnsafeBuffer(new byte[sizeBytes]);
            this.trips = trips;
        }

        @Override
        public void onConnected(Connection connection) {
            send(connection);
        }

        private void send(Connection connection) {
            bytesMissing = message.capacity();
            sentNanos = trips.begin();
            connection.write(message, 0, message.capacity());
        }

        @Override
        public int onData(Connection connection, DirectBuffer buffer, int index, int length) {
            bytesMissing -= length;
            if (bytesMissing == 0 && trips.end(sentNanos)) {
                send(connection);
            }
            return length;
        }

        @Override
        public void onEnd(Connection connection) {}

        @Override
        public void onWritable(Connection connection) {}

        @Override
        public void onClosed(Connection connection, CloseReason reason) {}
    }
}
