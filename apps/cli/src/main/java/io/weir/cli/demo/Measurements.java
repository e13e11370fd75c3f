package io.weir.cli.demo;

import io.weir.cli.environment.StopRequest;
import io.weir.cli.lab.Laboratory;
import io.weir.cli.lab.QueueStats;
import io.weir.cli.traffic.ArrivalLog;
import io.weir.cli.traffic.HostTraffic;
import io.weir.cli.traffic.RunningTraffic;
import io.weir.cli.unit.Rates;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;

/** What is measured of any transport, in the same way. */
final class Measurements {
    /** Lines of progress that measuring one transport shows. */
    static final int STEPS = 6;

    private static final int MESSAGE_BYTES = 64;
    private static final long SETTLE_NANOS = 300_000_000;
    private static final long FAIRNESS_NANOS = 1_000_000_000;
    private static final long DRAIN_NANOS = 20_000_000;
    private static final int JOIN_ROUND_TRIPS_OBSERVED = 400;
    private static final int JOIN_SPAN_ROUND_TRIPS = 4;

    private final DemoPlan plan;
    private final Laboratory lab;
    private final Trunk trunk;
    private final Consumer<String> progress;
    private final StopRequest stop;

    Measurements(DemoPlan plan, Laboratory lab, Trunk trunk, Consumer<String> progress, StopRequest stop) {
        this.plan = plan;
        this.lab = lab;
        this.trunk = trunk;
        this.progress = progress;
        this.stop = stop;
    }

    /** What has been measured of one transport so far. */
    final class Draft {
        private final String name;
        private final HostTraffic traffic;
        // Each null until it is measured.
        private SystemFigures.Alone alone;
        private Latencies idle;
        private Latencies loaded;
        private QueueStats loadedQueue;
        private SystemFigures.Fairness fairness;
        private Joins join;
        // From the end of the warm-up on; before that, from the beginning.
        private long dropsBefore = trunk.dataDrops();
        private DemoPauses.Watch watch;

        private Draft(String name, HostTraffic traffic) {
            this.name = name;
            this.traffic = traffic;
            this.watch = watch(traffic);
        }

        /** {@return the figures so far} */
        SystemFigures figures() {
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
    }

    /** {@return figures of a transport, none of which is measured yet} */
    Draft draft(String name, HostTraffic traffic) {
        return new Draft(name, traffic);
    }

    /** Measures a transport; what has been measured when this fails is in the draft. */
    void measure(Draft draft) throws IOException {
        HostTraffic traffic = draft.traffic;
        progress.accept(draft.name + ": warming up, while the virtual machine compiles");
        measure(traffic, new Load(1, false, 0), 2 * plan.measureNanos());
        draft.dropsBefore = trunk.dataDrops();
        draft.watch = watch(traffic);
        progress.accept(draft.name + ": round trips on an idle network");
        draft.idle = measure(traffic, new Load(0, true, 0), plan.measureNanos()).roundTrips();
        progress.accept(draft.name + ": one flow alone");
        Span alone = measure(traffic, new Load(1, false, SETTLE_NANOS), plan.measureNanos());
        double aloneBps = alone.goodputBps().get(0);
        draft.alone = new SystemFigures.Alone(aloneBps, alone.linkShare(), alone.queue(), alone.pauses());
        progress.accept(draft.name + ": round trips next to one flow");
        Span loaded = measure(traffic, new Load(1, true, 0), plan.measureNanos());
        draft.loaded = loaded.roundTrips();
        draft.loadedQueue = loaded.queue();
        progress.accept(draft.name + ": " + plan.flowCount() + " flows");
        draft.fairness = fairness(measure(traffic, new Load(plan.flowCount(), false, SETTLE_NANOS), FAIRNESS_NANOS));
        progress.accept(draft.name + ": a second flow joins, " + plan.joinCount() + " times");
        draft.join = joins(traffic, aloneBps);
    }

    private SystemFigures.Fairness fairness(Span many) {
        double[] manyBps =
                many.goodputBps().stream().mapToDouble(Double::doubleValue).toArray();
        return new SystemFigures.Fairness(
                plan.flowCount(), Arrays.stream(manyBps).sum(), jainIndex(manyBps), many.queue(), many.pauses());
    }

    DemoResult.Mixed mixed(HostTraffic weir, HostTraffic tcp) throws IOException {
        progress.accept("both at once");
        long dropsBefore = trunk.dataDrops();
        try (RunningTraffic<ArrivalLog> weirFlow = weir.startBulk();
                RunningTraffic<ArrivalLog> tcpFlow = tcp.startBulk()) {
            run(weir, SETTLE_NANOS);
            Span both = measure(weir, List.of(weirFlow, tcpFlow), false, plan.measureNanos());
            tcp.requireHealthy();
            return new DemoResult.Mixed(
                    both.goodputBps().get(0),
                    both.goodputBps().get(1),
                    both.queue(),
                    trunk.dataDrops() - dropsBefore,
                    both.pauses());
        }
    }

    private DemoPauses.Watch watch(HostTraffic traffic) {
        return new DemoPauses.Watch(traffic.hostLoops(), lab.loop().monitor());
    }

    /**
     * What runs while something is measured.
     *
     * @param flowCount bulk flows
     * @param isAsking whether messages are exchanged too, one at a time
     * @param settleNanos how long the flows run before
     */
    private record Load(int flowCount, boolean isAsking, long settleNanos) {}

    /**
     * What was measured in a span of time.
     *
     * @param goodputBps of each bulk flow
     * @param linkShare the share of the trunk that frames took
     * @param queue the trunk's data queue
     * @param roundTrips of the exchange, if there was one
     * @param pauses loops off their cores
     */
    private record Span(
            List<Double> goodputBps, double linkShare, QueueStats queue, Latencies roundTrips, DemoPauses pauses) {}

    private Span measure(HostTraffic traffic, Load load, long nanos) throws IOException {
        List<RunningTraffic<ArrivalLog>> flows = new ArrayList<>();
        try {
            for (int i = 0; i < load.flowCount(); i++) {
                flows.add(traffic.startBulk());
            }
            run(traffic, load.settleNanos());
            return measure(traffic, flows, load.isAsking(), nanos);
        } finally {
            flows.forEach(RunningTraffic::close);
            stop.await(DRAIN_NANOS);
        }
    }

    private Span measure(HostTraffic traffic, List<RunningTraffic<ArrivalLog>> flows, boolean isAsking, long nanos)
            throws IOException {
        lab.takeQueueStats();
        DemoPauses.Watch watch = watch(traffic);
        long wireBytes = trunk.wireBytes();
        long[] before =
                flows.stream().mapToLong(flow -> flow.figures().totalBytes()).toArray();
        long startNanos = System.nanoTime();
        RunningTraffic<Histogram> exchange = isAsking ? traffic.startRoundTrips(MESSAGE_BYTES) : null;
        try (exchange) {
            run(traffic, nanos);
        }
        long elapsedNanos = System.nanoTime() - startNanos;
        List<Double> goodput = new ArrayList<>();
        for (int i = 0; i < before.length; i++) {
            goodput.add(Rates.bps(flows.get(i).figures().totalBytes() - before[i], elapsedNanos));
        }
        double linkShare = Rates.bps(trunk.wireBytes() - wireBytes, elapsedNanos) / plan.bottleneckBps();
        DemoPauses pauses = watch.pauses();
        Latencies roundTrips = exchange == null ? null : Latencies.of(exchange.figures(), pauses);
        return new Span(goodput, linkShare, lab.takeQueueStats(), roundTrips, pauses);
    }

    private Joins joins(HostTraffic traffic, double aloneBps) throws IOException {
        long spanNanos = JOIN_SPAN_ROUND_TRIPS * plan.roundTripNanos();
        long bytesMin = (long) (Joins.SHARE * aloneBps / 2 * spanNanos / 8e9);
        List<Joins.Trial> trials = new ArrayList<>();
        try (RunningTraffic<ArrivalLog> first = traffic.startBulk()) {
            run(traffic, SETTLE_NANOS);
            for (int i = 0; i < plan.joinCount(); i++) {
                double baseBps = measure(traffic, List.of(first), false, DRAIN_NANOS)
                        .goodputBps()
                        .get(0);
                DemoPauses.Watch watch = watch(traffic);
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

    /** Lets traffic run for a while, or until the end is asked for. */
    private void run(HostTraffic traffic, long nanos) throws IOException {
        stop.await(nanos);
        stop.requireGoing();
        traffic.requireHealthy();
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
