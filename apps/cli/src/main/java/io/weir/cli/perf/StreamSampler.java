package io.weir.cli.perf;

import io.weir.cli.perf.carrier.Endpoint;
import io.weir.cli.perf.carrier.HostCounts;
import io.weir.cli.perf.carrier.Link;
import io.weir.cli.perf.carrier.LinkFigures;
import io.weir.cli.perf.carrier.LoopMeter;
import io.weir.cli.perf.carrier.LoopReport;
import io.weir.cli.perf.carrier.OnLoop;
import io.weir.cli.unit.Rates;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.HdrHistogram.Histogram;

/** Turns how far the streams have come, from one look to the next, into intervals. */
final class StreamSampler {
    private final Endpoint endpoint;
    private final List<DataStream> streams;
    private final Histogram latencies;
    // When the intervals at hand began to count, and what was counted by then: at the start, or when the measurement
    // begins after what is omitted.
    private long startNanos;
    private LoopMeter meter;
    private CpuUse startCpu;
    private boolean isOmitting;
    private Look last;

    /** What one look at the streams shows. */
    private record Look(long nanos, List<State> states, HostCounts counts, Histogram latencies) {}

    /** How far one stream has come. */
    private record State(long bytes, LinkFigures figures) {}

    /**
     * Begins to look; the streams start now.
     *
     * @param hasLatencies whether streams measure how long requests take
     * @param isOmitting whether what comes until {@link #restart} does not count
     */
    StreamSampler(Endpoint endpoint, List<DataStream> streams, boolean hasLatencies, boolean isOmitting) {
        this.endpoint = endpoint;
        this.streams = streams;
        this.latencies = hasLatencies ? Latency.newHistogram() : null;
        this.isOmitting = isOmitting;
        begin(Collections.nCopies(streams.size(), new State(0, LinkFigures.NONE)));
    }

    private void begin(List<State> states) {
        startNanos = System.nanoTime();
        meter = endpoint.meter();
        startCpu = CpuUse.now();
        last = new Look(startNanos, states, meter.counts(), null);
    }

    /** {@return the time since the start, or since the measurement began} */
    long elapsedNanos() {
        return System.nanoTime() - startNanos;
    }

    /** {@return whether what comes now does not count} */
    boolean isOmitting() {
        return isOmitting;
    }

    /** The measurement begins: forgets what was before. The streams' loops have been told. */
    void restart() throws IOException {
        List<State> states = look().states;
        if (latencies != null) {
            latencies.reset();
        }
        isOmitting = false;
        begin(states);
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
        List<Link> links = streams.stream().map(DataStream::link).toList();
        List<State> states = OnLoop.callEach(endpoint, links, i -> {
            DataStream stream = streams.get(i);
            if (fresh != null && stream instanceof Requester requester) {
                synchronized (fresh) {
                    requester.drainLatencies(fresh);
                }
            }
            return new State(stream.bytes(), stream.look());
        });
        return new Look(System.nanoTime(), states, meter.counts(), fresh);
    }

    private Interval between(Look from, Look to) {
        long nanos = to.nanos - from.nanos;
        List<Interval.StreamShare> shares = new ArrayList<>();
        long sentBytes = 0;
        long receivedBytes = 0;
        for (int i = 0; i < streams.size(); i++) {
            DataStream stream = streams.get(i);
            State now = to.states.get(i);
            State before = from.states.get(i);
            long bytes = now.bytes - before.bytes;
            sentBytes += stream.isSender() ? bytes : 0;
            receivedBytes += stream.isSender() ? 0 : bytes;
            shares.add(new Interval.StreamShare(
                    stream.index(),
                    stream.isSender(),
                    bytes,
                    Rates.bps(bytes, nanos),
                    now.figures.rttNanos(),
                    now.figures.rttVariationNanos(),
                    now.figures.windowBytes(),
                    now.figures.peerWindowBytes(),
                    now.figures.retransmittedFrames() - before.figures.retransmittedFrames()));
        }
        return new Interval(
                from.nanos - startNanos,
                to.nanos - startNanos,
                shares,
                sentBytes,
                Rates.bps(sentBytes, nanos),
                receivedBytes,
                Rates.bps(receivedBytes, nanos),
                isOmitting,
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
        return meter.report();
    }

    /** {@return what the host has counted since the start} */
    HostCounts counts() {
        return meter.counts();
    }

    /** {@return what the process has taken of the cores since the start} */
    CpuUse cpu() {
        return CpuUse.now().since(startCpu);
    }
}
