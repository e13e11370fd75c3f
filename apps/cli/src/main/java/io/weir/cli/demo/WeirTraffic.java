package io.weir.cli.demo;

import io.weir.cli.traffic.ArrivalLog;
import io.weir.cli.traffic.BulkSource;
import io.weir.cli.traffic.EchoHandler;
import io.weir.cli.traffic.HostTraffic;
import io.weir.cli.traffic.MeasuredFlow;
import io.weir.cli.traffic.PingHandler;
import io.weir.cli.traffic.QuietHandler;
import io.weir.cli.traffic.RoundTripTimes;
import io.weir.cli.traffic.RoundTrips;
import io.weir.transport.host.Connection;
import io.weir.transport.host.ConnectionAcceptor;
import io.weir.transport.runtime.CycleMonitor;
import io.weir.transport.socket.Transport;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.HdrHistogram.Histogram;
import org.agrona.DirectBuffer;

/** Weir, driven by handlers on the hosts' own thread. Every flow has a port of its own. */
final class WeirTraffic implements HostTraffic {
    private static final int PORT_FIRST = 4720;
    private static final long CLOSE_SECONDS_MAX = 5;

    private final Hosts hosts;
    private final AtomicReference<String> failure = new AtomicReference<>();
    private int nextPort = PORT_FIRST;

    WeirTraffic(Hosts hosts) {
        this.hosts = hosts;
    }

    @Override
    public Map<String, CycleMonitor> hostLoops() {
        return hosts.loops();
    }

    @Override
    public MeasuredFlow startBulk() throws IOException {
        Receiver receiver = new Receiver();
        return new Flow(receiver, connect(receiver, new BulkSource(failure)));
    }

    @Override
    public RoundTrips startRoundTrips(int messageBytes) throws IOException {
        RoundTripTimes times = new RoundTripTimes();
        PingHandler asker = new PingHandler(messageBytes, times, failure);
        return new Exchange(times, connect(new EchoHandler(failure), asker));
    }

    /** {@return a transfer of {@code bytes} that follow from {@code seed}, which has begun} */
    VerifiedTransfer startVerified(long seed, long bytes) throws IOException {
        VerifiedTransfer transfer = new VerifiedTransfer(seed, bytes, failure);
        connect(transfer.receiver(), transfer.sender());
        return transfer;
    }

    @Override
    public void requireHealthy() throws IOException {
        hosts.requireHealthy();
        if (failure.get() != null) {
            throw new IOException(failure.get());
        }
    }

    private Channel connect(QuietHandler server, QuietHandler client) throws IOException {
        int port = nextPort++;
        ConnectionAcceptor acceptor = connection -> server;
        hosts.transport(Side.RIGHT).listen(port, acceptor);
        InetSocketAddress remote = new InetSocketAddress(Side.RIGHT.address(), port);
        Connection connection = hosts.transport(Side.LEFT).connect(remote, client);
        return new Channel(connection, port, server, client);
    }

    /** One connection, as long as it is wanted. */
    private final class Channel {
        private final Connection connection;
        private final int port;
        private final QuietHandler server;
        private final QuietHandler client;

        Channel(Connection connection, int port, QuietHandler server, QuietHandler client) {
            this.connection = connection;
            this.port = port;
            this.server = server;
            this.client = client;
        }

        void abort() {
            server.allowEnd();
            client.allowEnd();
            Transport left = hosts.transport(Side.LEFT);
            CountDownLatch done = new CountDownLatch(1);
            left.execute(now -> {
                connection.abort();
                done.countDown();
            });
            hosts.transport(Side.RIGHT).stopListening(port);
            try {
                if (!done.await(CLOSE_SECONDS_MAX, TimeUnit.SECONDS)) {
                    failure.compareAndSet(null, "the hosts' loop does not answer");
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private record Flow(Receiver receiver, Channel channel) implements MeasuredFlow {
        @Override
        public long receivedBytes() {
            return receiver.bytes.get();
        }

        @Override
        public ArrivalLog arrivals() {
            return receiver.arrivals;
        }

        @Override
        public void close() {
            channel.abort();
        }
    }

    private record Exchange(RoundTripTimes times, Channel channel) implements RoundTrips {
        @Override
        public Histogram nanos() {
            return times.nanos();
        }

        @Override
        public void close() {
            channel.abort();
        }
    }

    private final class Receiver extends QuietHandler {
        private final AtomicLong bytes = new AtomicLong();
        private final ArrivalLog arrivals = new ArrivalLog();

        Receiver() {
            super("a bulk flow's receiver", failure);
        }

        @Override
        public int onData(Connection connection, DirectBuffer buffer, int index, int length) {
            bytes.lazySet(bytes.getPlain() + length);
            arrivals.add(connection.host().nowNanos(), length);
            return length;
        }
    }
}
