package io.weir.cli.demo;

import io.weir.cli.environment.StopRequest;
import io.weir.cli.traffic.ArrivalLog;
import io.weir.cli.traffic.BulkSink;
import io.weir.cli.traffic.BulkSource;
import io.weir.cli.traffic.EchoHandler;
import io.weir.cli.traffic.HostTraffic;
import io.weir.cli.traffic.PayloadCheck;
import io.weir.cli.traffic.PingHandler;
import io.weir.cli.traffic.QuietHandler;
import io.weir.cli.traffic.RoundTripTimes;
import io.weir.cli.traffic.RunningTraffic;
import io.weir.cli.traffic.SeededPayload;
import io.weir.transport.host.Connection;
import io.weir.transport.runtime.CycleMonitor;
import io.weir.transport.runtime.OwnTimeLimit;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.HdrHistogram.Histogram;

/** Weir, driven by handlers on the hosts' own thread. Every flow has its own port. */
final class WeirTraffic implements HostTraffic {
    private static final int PORT_FIRST = 4720;
    private static final long CLOSE_SECONDS_MAX = 5;
    private static final long TRANSFER_SECONDS_MAX = 60;
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

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
    public RunningTraffic<ArrivalLog> startBulk() throws IOException {
        BulkSink sink = new BulkSink(null, failure);
        return connect(sink.arrivals(), sink, new BulkSource(failure));
    }

    @Override
    public RunningTraffic<Histogram> startRoundTrips(int messageBytes) throws IOException {
        RoundTripTimes times = new RoundTripTimes();
        return connect(times.nanos(), new EchoHandler(failure), new PingHandler(messageBytes, times, failure));
    }

    /**
     * {@return how {@code bytes} that follow from {@code seed} arrived, all of them}
     *
     * @throws java.io.InterruptedIOException if {@code stop} was asked for before
     */
    DemoResult.Transfer transfer(long seed, long bytes, StopRequest stop) throws IOException {
        PayloadCheck check = new PayloadCheck(new SeededPayload(seed, 0));
        BulkSink sink = new BulkSink(check, failure);
        BulkSource source = new BulkSource(new SeededPayload(seed, 0), bytes, failure);
        ArrivalLog arrivals = sink.arrivals();
        connect(arrivals, sink, source);
        OwnTimeLimit limit = OwnTimeLimit.ofSeconds(TRANSFER_SECONDS_MAX);
        while (!sink.hasEnded() && limit.leftNanos() > 0) {
            stop.await(LOOK_NANOS);
            stop.requireGoing();
            requireHealthy();
        }
        if (!sink.hasEnded()) {
            throw new IOException("the transfer of " + bytes + " B did not end within " + TRANSFER_SECONDS_MAX + " s"
                    + limit.remark() + ": "
                    + arrivals.totalBytes() + " B arrived");
        }
        String sentSha256 = source.source().sha256();
        return new DemoResult.Transfer(bytes, arrivals.totalBytes(), arrivals.spanNanos(), sentSha256, check.sha256());
    }

    @Override
    public void requireHealthy() throws IOException {
        hosts.requireHealthy();
        if (failure.get() != null) {
            throw new IOException(failure.get());
        }
    }

    private <T> RunningTraffic<T> connect(T figures, QuietHandler server, QuietHandler client) throws IOException {
        int port = nextPort++;
        hosts.right().listen(port, incoming -> server);
        InetSocketAddress remote =
                new InetSocketAddress(hosts.right().addresses().get(0), port);
        Connection connection = hosts.left().connect(remote, client);
        return new RunningTraffic<>() {
            @Override
            public T figures() {
                return figures;
            }

            @Override
            public void close() {
                server.allowEnd();
                client.allowEnd();
                abort(connection);
                hosts.right().stopListening(port);
            }
        };
    }

    /** Returns when the connection's thread has ended it. */
    private void abort(Connection connection) {
        CountDownLatch done = new CountDownLatch(1);
        hosts.left().execute(now -> {
            connection.abort();
            done.countDown();
        });
        try {
            if (!OwnTimeLimit.ofSeconds(CLOSE_SECONDS_MAX).await(done::await)) {
                failure.compareAndSet(null, "the hosts' loop does not answer");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
