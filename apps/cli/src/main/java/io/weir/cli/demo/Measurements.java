package io.weir.cli.demo;

import io.weir.cli.lab.QueueStats;
import io.weir.cli.traffic.ArrivalLog;
import io.weir.cli.traffic.HostTraffic;
import io.weir.cli.traffic.RunningTraffic;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;

/** What is measured of any transport, in the same way. */
final class Measurements {
    private static final int MESSAGE_BYTES = 64;
    private static final long SETTLE_NANOS = 300_000_000;
    private static final long FAIRNESS_NANOS = 1_000_000_000;
    private static final long DRAIN_NANOS = 20_000_000;
    private static final int JOIN_ROUND_TRIPS_OBSERVED = 400;
    private static final int JOIN_SPAN_ROUND_TRIPS = 4;

    private final DemoPlan plan;
    private final Trunk trunk;
    private final Consumer<String> progress;

    Measurements(DemoPlan plan, Trunk trunk, Consumer<String> progress) {
        this.plan = plan;
        this.trunk = trunk;
        this.progress = progress;
    }

    SystemFigures measure(String name, HostTraffic traffic) throws IOException, InterruptedException {
        progress.accept(name + ": warming up, while the virtual machine compiles");
        warmUp(traffic);
        long dropsBefore = trunk.dataDrops();
        PauseWatch watch = watch(traffic);
        progress.accept(name + ": round trips on an idle network");
        Latencies idle = idle(traffic);
        progress.accept(name + ": one flow alone");
        SystemFigures.Alone alone = alone(traffic);
        progress.accept(name + ": round trips beside one flow");
        trunk.takeQueueStats();
        RunningTraffic<ArrivalLog> flow = traffic.startBulk();
        Latencies loaded;
        try {
            loaded = idle(traffic);
        } finally {
            flow.close();
        }
        QueueStats loadedQueue = trunk.takeQueueStats();
        progress.accept(name + ": " + plan.flowCount() + " flows");
        SystemFigures.Fairness fairness = fairness(traffic);
        progress.accept(name + ": a second flow joins, " + plan.joinCount() + " times");
        Joins join = joins(traffic, alone.goodputBps());
        return new SystemFigures(
                name,
                alone,
                idle,
                loaded,
                loadedQueue,
                fairness,
                join,
                trunk.dataDrops() - dropsBefore,
                watch.pauses());
    }

    private PauseWatch watch(HostTraffic traffic) {
        return new PauseWatch(traffic.hostLoops(), trunk.loop().monitor());
    }

    MixedFigures mixed(HostTraffic weir, HostTraffic tcp) throws IOException, InterruptedException {
        progress.accept("both at once");
        long dropsBefore = trunk.dataDrops();
        try (RunningTraffic<ArrivalLog> weirFlow = weir.startBulk();
                RunningTraffic<ArrivalLog> tcpFlow = tcp.startBulk()) {
            run(weir, SETTLE_NANOS);
            trunk.takeQueueStats();
            PauseWatch watch = watch(weir);
            double[] goodput = goodput(weir, List.of(weirFlow, tcpFlow), plan.measureNanos());
            tcp.requireHealthy();
            DemoPauses pauses = watch.pauses();
            return new MixedFigures(
                    goodput[0], goodput[1], trunk.takeQueueStats(), trunk.dataDrops() - dropsBefore, pauses);
        }
    }

    /** The compiler's threads want the cores for the first seconds, which no measurement is about. */
    private void warmUp(HostTraffic traffic) throws IOException, InterruptedException {
        RunningTraffic<ArrivalLog> flow = traffic.startBulk();
        try {
            run(traffic, 2 * plan.measureNanos());
        } finally {
            flow.close();
            run(traffic, DRAIN_NANOS);
        }
    }

    private Latencies idle(HostTraffic traffic) throws IOException, InterruptedException {
        PauseWatch watch = watch(traffic);
        RunningTraffic<Histogram> roundTrips = traffic.startRoundTrips(MESSAGE_BYTES);
        try (roundTrips) {
            run(traffic, plan.measureNanos());
        }
        return Latencies.of(roundTrips.figures(), watch.pauses());
    }

    private SystemFigures.Alone alone(HostTraffic traffic) throws IOException, InterruptedException {
        try (RunningTraffic<ArrivalLog> flow = traffic.startBulk()) {
            run(traffic, SETTLE_NANOS);
            trunk.takeQueueStats();
            PauseWatch watch = watch(traffic);
            long wireBytes = trunk.wireBytes();
            long startNanos = System.nanoTime();
            double[] goodput = goodput(traffic, List.of(flow), plan.measureNanos());
            double linkShare =
                    bps(trunk.wireBytes() - wireBytes, System.nanoTime() - startNanos) / plan.bottleneckBps();
            DemoPauses pauses = watch.pauses();
            return new SystemFigures.Alone(goodput[0], linkShare, trunk.takeQueueStats(), pauses);
        } finally {
            run(traffic, DRAIN_NANOS);
        }
    }

    private SystemFigures.Fairness fairness(HostTraffic traffic) throws IOException, InterruptedException {
        List<RunningTraffic<ArrivalLog>> flows = new ArrayList<>();
        try {
            for (int i = 0; i < plan.flowCount(); i++) {
                flows.add(traffic.startBulk());
            }
            run(traffic, SETTLE_NANOS);
            trunk.takeQueueStats();
            PauseWatch watch = watch(traffic);
            double[] goodput = goodput(traffic, flows, FAIRNESS_NANOS);
            DemoPauses pauses = watch.pauses();
            return new SystemFigures.Fairness(
                    goodput.length, Arrays.stream(goodput).sum(), jainIndex(goodput), trunk.takeQueueStats(), pauses);
        } finally {
            flows.forEach(RunningTraffic::close);
            run(traffic, DRAIN_NANOS);
        }
    }

    private Joins joins(HostTraffic traffic, double aloneBps) throws IOException, InterruptedException {
        long spanNanos = JOIN_SPAN_ROUND_TRIPS * plan.roundTripNanos();
        long bytesMin = (long) (Joins.SHARE * aloneBps / 2 * spanNanos / 8e9);
        List<Joins.Trial> trials = new ArrayList<>();
        try (RunningTraffic<ArrivalLog> first = traffic.startBulk()) {
            run(traffic, SETTLE_NANOS);
            for (int i = 0; i < plan.joinCount(); i++) {
                double baseBps = goodput(traffic, List.of(first), DRAIN_NANOS)[0];
                PauseWatch watch = watch(traffic);
                RunningTraffic<ArrivalLog> second = traffic.startBulk();
                try (second) {
                    run(traffic, JOIN_ROUND_TRIPS_OBSERVED * plan.roundTripNanos());
                }
                DemoPauses pauses = watch.pauses();
                ArrivalLog arrivals = second.figures();
                trials.add(new Joins.Trial(
                        baseBps, pauses, arrivals.nanosUntil(bytesMin, spanNanos), arrivals.totalBytes() > 0));
                run(traffic, DRAIN_NANOS);
            }
        }
        return Joins.of(trials, aloneBps, plan);
    }

    /** Lets traffic run for a while. */
    private static void run(HostTraffic traffic, long nanos) throws IOException, InterruptedException {
        TimeUnit.NANOSECONDS.sleep(nanos);
        traffic.requireHealthy();
    }

    private static double[] goodput(HostTraffic traffic, List<RunningTraffic<ArrivalLog>> flows, long nanos)
            throws IOException, InterruptedException {
        long startNanos = System.nanoTime();
        long[] before = flows.stream()
                .mapToLong(flow -> flow.figures().totalBytes())
                .toArray();
        run(traffic, nanos);
        long elapsedNanos = System.nanoTime() - startNanos;
        double[] goodput = new double[before.length];
        for (int i = 0; i < before.length; i++) {
            goodput[i] = bps(flows.get(i).figures().totalBytes() - before[i], elapsedNanos);
        }
        return goodput;
    }

    private static double bps(long bytes, long nanos) {
        return bytes * 8e9 / nanos;
    }

    /** {@return Jain's fairness index: (sum x)^2 / (n sum x^2), or null if nothing moved} */
    static Double jainIndex(double[] values) {
        double sum = 0;
        double squares = 0;
        for (double value : values) {
            sum += value;
            squares += value * value;
        }
        return squares == 0 ? null : sum * sum / (values.length * squares);
    }
}
