package io.weir.papers.comparison;

import io.weir.papers.Convergence;
import io.weir.papers.Extracts;
import io.weir.papers.Figure;
import io.weir.papers.Statistics;
import io.weir.papers.Unit;
import io.weir.papers.comparison.SideBySide.Column;
import io.weir.papers.comparison.SideBySide.Experiment;
import io.weir.transport.scenario.result.Percentiles;
import io.weir.transport.scenario.result.PortResult;
import io.weir.transport.scenario.result.ScenarioResult;
import io.weir.transport.scenario.result.Series;
import io.weir.transport.scenario.result.Summary;
import java.util.ArrayList;
import java.util.List;

/** The three experiments: an incast, staggered long flows, and a web search's load. */
public final class Experiments {
    private static final int FLOWS = 4;
    private static final int INTERVALS_PER_FLOW = 250;
    private static final double INTERVAL_NANOS = 100_000;
    private static final double SHARE = 0.8;

    private Experiments() {}

    /** {@return all of them} */
    public static List<Figure> figures() {
        return List.of(new SideBySide<>(incast()), new SideBySide<>(staggered()), new SideBySide<>(webSearch()));
    }

    /**
     * What remains of an incast.
     *
     * @param rounds how long they took
     * @param goodputBps payload over the time of the rounds
     * @param queueBytesMax the most at any port
     * @param dataDrops frames dropped
     */
    record Rounds(Percentiles rounds, double goodputBps, double queueBytesMax, long dataDrops) {
        static Rounds of(ScenarioResult result) {
            var exchange = result.exchanges().get(0);
            return new Rounds(
                    exchange.roundNanos(),
                    exchange.goodputBps(),
                    Extracts.queueBytesMax(result),
                    result.summary().dataDrops());
        }
    }

    private static Experiment<Rounds> incast() {
        return new Experiment<>(
                "incast",
                Contender.ALL,
                "Incast of 32 responses of 64 KB",
                "33 hosts at one switch, 10 Gbps, round trips of 25 us, queues of 250 frames; one asks all others at once, twenty times.",
                List.of(),
                SideBySide.NOTHING_SMALLER,
                Rounds::of,
                List.of(
                        Column.<Rounds>of("goodput", Unit.BPS, Rounds::goodputBps)
                                .drawn(),
                        Column.of("round p50", Unit.NANOS, result -> result.rounds()
                                .p50()),
                        Column.<Rounds>of("round p99", Unit.NANOS, result -> result.rounds()
                                        .p99())
                                .drawn(),
                        Column.<Rounds>of("largest queue", Unit.BYTES, Rounds::queueBytesMax)
                                .drawn(),
                        Column.of("data drops", Unit.NUMBER, Rounds::dataDrops)),
                Rounds::dataDrops);
    }

    /**
     * What remains of flows that begin one after the other.
     *
     * @param goodputBps of all of them, once all are there
     * @param jainIndex the mean over intervals of 100 us, once all have been there for half of their time
     * @param convergenceNanos the median time until a flow that joins first has 80 % of its share; infinite if most
     *     never do
     * @param queueBytesMean the bottleneck's queue over all the time
     * @param queueBytesMax the most in it
     * @param dataDrops frames dropped
     */
    record Joining(
            double goodputBps,
            double jainIndex,
            double convergenceNanos,
            double queueBytesMean,
            double queueBytesMax,
            long dataDrops) {
        static Joining of(ScenarioResult result) {
            Series series = result.series();
            int last = (FLOWS - 1) * INTERVALS_PER_FLOW;
            List<Double> totals = series.totalGoodputBps();
            PortResult bottleneck = bottleneck(result);
            return new Joining(
                    Statistics.mean(totals.subList(last, totals.size())),
                    Extracts.jainOverIntervals(result, last + INTERVALS_PER_FLOW / 2),
                    Statistics.median(convergences(series)),
                    bottleneck.queueBytesMean(),
                    bottleneck.queueBytesMax(),
                    result.summary().dataDrops());
        }

        private static PortResult bottleneck(ScenarioResult result) {
            return result.ports().stream()
                    .filter(port -> port.node().equals("left") && port.port().equals("right"))
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException("no port from left to right"));
        }

        private static List<Double> convergences(Series series) {
            double linkBps = Statistics.max(series.totalGoodputBps());
            List<Double> nanos = new ArrayList<>();
            for (int flow = 1; flow < FLOWS; flow++) {
                int from = flow * INTERVALS_PER_FLOW;
                double level = SHARE * linkBps / (flow + 1);
                nanos.add(INTERVAL_NANOS
                        * Convergence.firstAtLeast(series.flows().get(flow).goodputBps(), from, level));
            }
            return nanos;
        }
    }

    private static Experiment<Joining> staggered() {
        return new Experiment<>(
                "staggered",
                Contender.ALL,
                "Four long flows, each joins 25 ms after the one before",
                "A bottleneck of 10 Gbps, round trips of 75 us, a queue of 250 frames. Convergence: from a flow's opening on until it first"
                        + " has 80 % of its share over 100 us, the median of the three that join.",
                List.of(),
                SideBySide.NOTHING_SMALLER,
                Joining::of,
                List.of(
                        Column.<Joining>of("goodput of four", Unit.BPS, Joining::goodputBps)
                                .drawn(),
                        Column.<Joining>of("Jain's index", Unit.NUMBER, Joining::jainIndex)
                                .drawn(),
                        Column.<Joining>of("convergence", Unit.NANOS, Joining::convergenceNanos)
                                .drawn(),
                        Column.<Joining>of("mean queue", Unit.BYTES, Joining::queueBytesMean)
                                .drawn(),
                        Column.of("largest queue", Unit.BYTES, Joining::queueBytesMax),
                        Column.of("data drops", Unit.NUMBER, Joining::dataDrops)),
                Joining::dataDrops);
    }

    /**
     * What remains of a load of many flows.
     *
     * @param classes completion times by class of size
     * @param unfinished flows that had not come to their end
     * @param goodputBps of all
     * @param queueBytesMean the mean of all switch ports
     * @param queueBytesMax the most at any
     * @param dataDrops frames dropped
     */
    record Load(
            List<Summary.SizeClass> classes,
            long unfinished,
            double goodputBps,
            double queueBytesMean,
            double queueBytesMax,
            long dataDrops) {
        static Load of(ScenarioResult result) {
            return new Load(
                    result.summary().completionNanos(),
                    result.flows().stream()
                            .filter(flow -> flow.completionNanos() == null)
                            .count(),
                    result.summary().goodputBps(),
                    Statistics.mean(result.ports().stream()
                            .map(PortResult::queueBytesMean)
                            .toList()),
                    Extracts.queueBytesMax(result),
                    result.summary().dataDrops());
        }

        /** {@return the completion times of a class; NaN-valued columns come of none} */
        Percentiles of(String name) {
            return classes.stream()
                    .filter(found -> found.name().equals(name))
                    .map(Summary.SizeClass::completionNanos)
                    .findFirst()
                    .orElse(new Percentiles(0, Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN));
        }
    }

    private static Experiment<Load> webSearch() {
        List<Column<Load>> columns = new ArrayList<>();
        for (String name : List.of("S", "M", "L", "XL")) {
            columns.add(Column.of(
                    name + " p50", Unit.NANOS, result -> result.of(name).p50()));
            columns.add(Column.<Load>of(
                            name + " p99", Unit.NANOS, result -> result.of(name).p99())
                    .drawn());
        }
        columns.add(
                Column.<Load>of("mean queue", Unit.BYTES, Load::queueBytesMean).drawn());
        columns.add(Column.of("largest queue", Unit.BYTES, Load::queueBytesMax));
        columns.add(Column.of("data drops", Unit.NUMBER, Load::dataDrops));
        columns.add(Column.of("unfinished", Unit.NUMBER, Load::unfinished));
        return new Experiment<>(
                "web-search",
                Contender.REAL,
                "Completion times of Web Search at a load of 0.6",
                "32 hosts in four racks below two spines, 10 Gbps, round trips of up to 40 us, queues of 250 frames; 2,000 flows between"
                        + " random hosts. Times by class of size: S up to 10 KB, M up to 100 KB, L up to 1 MB, XL above.",
                List.of("traffic[0].count=400"),
                "400 flows in place of 2,000; every protocol has the same flows at the same times, so that the rest compares as it would.",
                Load::of,
                columns,
                Load::dataDrops);
    }
}
