package io.weir.cli.perf;

import io.weir.cli.unit.Rates;
import io.weir.transport.host.Connection;
import io.weir.transport.host.HostConfig;
import io.weir.transport.runtime.EventLoop;
import io.weir.transport.runtime.PauseCounts;
import io.weir.transport.socket.Transport;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.HdrHistogram.Histogram;

/** Turns how far the streams have come, from one look to the next, into intervals. */
final class StreamSampler {
    private final Transport transport;
    private final List<DataStream> streams;
    private final Histogram latencies;
    private final long startNanos = System.nanoTime();
    private final HostCounts startCounts;
    private final List<LoopStart> startLoops;
    private Look last;

    /** What one look at the streams shows. */
    private record Look(long nanos, List<State> states, HostCounts counts, Histogram latencies) {}

    /** How far one stream has come. */
    private record State(long bytes, long rttNanos) {}

    /** What a loop had counted at the start. */
    private record LoopStart(EventLoop loop, PauseCounts pauses, CoreTime coreTime) {
        static LoopStart of(EventLoop loop) {
            return new LoopStart(loop, loop.monitor().pauses(), CoreTime.of(loop.name()));
        }
    }

    /**
     * Begins to look; the streams start now.
     *
     * @param hasLatencies whether streams measure how long requests take
     */
    StreamSampler(Transport transport, List<DataStream> streams, boolean hasLatencies) {
        this.transport = transport;
        this.streams = streams;
        this.latencies = hasLatencies ? Latency.newHistogram() : null;
        this.startCounts = HostCounts.of(transport.counters());
        this.startLoops = transport.loops().stream().map(LoopStart::of).toList();
        this.last = new Look(startNanos, Collections.nCopies(streams.size(), new State(0, 0)), startCounts, null);
    }

    /** {@return the time since the start} */
    long elapsedNanos() {
        return System.nanoTime() - startNanos;
    }

    /** {@return what has happened since the last interval} */
    Interval next() throws IOException {
        Look before = last;
        last = look();
        if (latencies != null) {
            latencies.add(last.latencies);
        }
        return between(before, last);
    }

    private Look look() throws IOException {
        Histogram fresh = latencies == null ? null : Latency.newHistogram();
        List<Connection> connections =
                streams.stream().map(DataStream::connection).toList();
        List<State> states = OnLoop.callEach(transport, connections, i -> {
            DataStream stream = streams.get(i);
            if (fresh != null && stream instanceof Requester requester) {
                synchronized (fresh) {
                    requester.drainLatencies(fresh);
                }
            }
            return new State(stream.bytes(), stream.rttNanos());
        });
        return new Look(System.nanoTime(), states, HostCounts.of(transport.counters()), fresh);
    }

    private Interval between(Look from, Look to) {
        long nanos = to.nanos - from.nanos;
        List<Interval.StreamShare> shares = new ArrayList<>();
        long sentBytes = 0;
        long receivedBytes = 0;
        for (int i = 0; i < streams.size(); i++) {
            DataStream stream = streams.get(i);
            State now = to.states.get(i);
            long bytes = now.bytes - from.states.get(i).bytes;
            sentBytes += stream.isSender() ? bytes : 0;
            receivedBytes += stream.isSender() ? 0 : bytes;
            shares.add(new Interval.StreamShare(
                    stream.index(), stream.isSender(), bytes, Rates.bps(bytes, nanos), now.rttNanos));
        }
        return new Interval(
                from.nanos - startNanos,
                to.nanos - startNanos,
                shares,
                sentBytes,
                Rates.bps(sentBytes, nanos),
                receivedBytes,
                Rates.bps(receivedBytes, nanos),
                to.counts.minus(from.counts),
                to.latencies == null ? null : Latency.of(to.latencies));
    }

    /** {@return the latencies of the intervals so far, or null where no requests are made} */
    Histogram latencies() {
        return latencies;
    }

    /** {@return the latest interval's histogram, or null where no requests are made} */
    Histogram lastLatencies() {
        return last.latencies;
    }

    /** {@return how the loops ran since the start} */
    LoopReport loop() {
        HostConfig host = transport.hostConfig();
        return LoopReport.of(
                startLoops.stream()
                        .map(start -> start.loop.monitor().pauses().since(start.pauses))
                        .toList(),
                startLoops.stream()
                        .map(start -> CoreTime.between(start.coreTime, CoreTime.of(start.loop.name())))
                        .toList(),
                host.pauses(),
                host.link().rateBps());
    }

    /** {@return what the host has counted since the start} */
    HostCounts counts() {
        return HostCounts.of(transport.counters()).minus(startCounts);
    }
}
