package io.weir.papers.expresspass;

import io.weir.papers.Axis;
import io.weir.papers.Chart;
import io.weir.papers.ChartSeries;
import io.weir.papers.Claim;
import io.weir.papers.Extracts;
import io.weir.papers.Figure;
import io.weir.papers.Findings;
import io.weir.papers.PaperRun;
import io.weir.papers.RunResults;
import io.weir.papers.Scale;
import io.weir.papers.Setting;
import io.weir.papers.Statistics;
import io.weir.papers.Unit;
import io.weir.papers.Variant;
import io.weir.transport.scenario.result.PortResult;
import io.weir.transport.scenario.result.ScenarioResult;
import io.weir.transport.scenario.result.Series;
import java.util.ArrayList;
import java.util.List;

/** Figure 13: five flows come and go; throughput and queue over time. */
public final class FiveFlows implements Figure {
    private static final String ID = "expresspass/fig13";
    private static final String FILE = "expresspass/fig13-five-flows.yaml";
    private static final double LINK_RATE_BPS = 10e9;
    private static final double DATA_QUEUE_BYTES_MAX = 18_000;
    private static final double CREDIT_QUEUE_FRAMES_MAX = 8;
    private static final double PEER_QUEUE_TIMES = 5;

    /**
     * Weir's preset through the paper's meters too: what the paper prints is what 84 B and no share for others leave.
     */
    private static final List<Variant> CREDITS = List.of(Variant.AUTHORS, Variant.WEIR);

    private static final List<Variant> PEERS = List.of(Peers.dctcpOfRfc(1));

    public FiveFlows() {}

    /**
     * What remains of a run.
     *
     * @param intervalMillis the length of an interval
     * @param shares of the link that data of all flows filled while any was there, interval by interval
     * @param flowsBps the goodput of each flow
     * @param queueBytes the longest data queue of the bottleneck
     * @param creditQueueFramesMax the longest credit queue of any port
     * @param dataDrops frames dropped
     */
    record Course(
            double intervalMillis,
            List<Double> shares,
            List<Series.FlowSeries> flowsBps,
            List<Long> queueBytes,
            long creditQueueFramesMax,
            long dataDrops) {}

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String title() {
        return "Five flows that come and go: throughput and queue";
    }

    @Override
    public Setting setting(Scale scale) {
        return new Setting(
                "10 Gbps, a testbed's host delays; five flows come one after the other and leave in that order.",
                scale == Scale.FULL
                        ? Setting.AS_IN_THE_PAPER + "; the testbed is simulated, one flow comes every 100 ms"
                        : "one flow comes every 20 ms in place of some seconds, intervals of 2 ms in place of 10: a hundred round"
                                + " trips.");
    }

    private static List<String> times(Scale scale) {
        return scale == Scale.FULL
                ? List.of()
                : List.of(
                        "duration=200ms",
                        "traffic[flow].start={every: 20ms}",
                        "traffic[flow].stop={at: 100ms, every: 20ms}",
                        "measure={interval: 2ms, perFlow: true, perPort: true}");
    }

    private static PaperRun<Course> run(Variant variant, Scale scale) {
        return variant.run(FILE, "", FiveFlows::course, times(scale));
    }

    private static Course course(ScenarioResult result) {
        Series series = result.series();
        // The last flow leaves a tenth before the end; an interval in which one comes or goes is not of either.
        int last = series.totalGoodputBps().size() * 9 / 10 - 1;
        List<Double> shares = series.totalGoodputBps().subList(1, last).stream()
                .map(bps -> bps * Variant.WIRE_BYTES_PER_PAYLOAD_BYTE / LINK_RATE_BPS)
                .toList();
        return new Course(
                series.intervalNanos() / 1e6,
                shares,
                series.flows(),
                longest(series.ports()),
                result.ports().stream()
                        .mapToLong(PortResult::creditQueueFramesMax)
                        .max()
                        .orElse(0),
                result.summary().dataDrops());
    }

    private static List<Long> longest(List<Series.PortSeries> ports) {
        List<Long> longest = new ArrayList<>(ports.get(0).queueBytes());
        for (Series.PortSeries port : ports) {
            for (int i = 0; i < longest.size(); i++) {
                longest.set(i, Math.max(longest.get(i), port.queueBytes().get(i)));
            }
        }
        return longest;
    }

    @Override
    public List<PaperRun<?>> runs(Scale scale) {
        List<PaperRun<?>> runs = new ArrayList<>();
        CREDITS.forEach(variant -> runs.add(run(variant, scale)));
        PEERS.forEach(variant -> runs.add(run(variant, scale)));
        return runs;
    }

    @Override
    public Findings evaluate(RunResults results, Scale scale) {
        List<Claim> claims = new ArrayList<>();
        List<Chart> charts = new ArrayList<>();
        long drops = 0;
        for (Variant variant : CREDITS) {
            Course course = results.get(run(variant, scale));
            claims.addAll(claims(variant, course));
            drops += course.dataDrops();
        }
        double queueBytes = queueBytesMax(results.get(run(Variant.WEIR, scale)));
        Claim.Draft peers = Claim.about(ID + "/peers", "DCTCP's queue is many times as long", "240.7 KB, 13 times");
        for (Variant peer : PEERS) {
            double times = queueBytesMax(results.get(run(peer, scale))) / queueBytes;
            claims.add(peers.atLeast(times, PEER_QUEUE_TIMES, Unit.TIMES));
        }
        claims.add(Extracts.noDrops(ID, drops));
        for (PaperRun<?> run : runs(scale)) {
            Course course = (Course) results.get(run);
            charts.add(throughput(run.name(), course));
            charts.add(queue(run.name(), course));
        }
        return new Findings(claims, charts, List.of());
    }

    private static double queueBytesMax(Course course) {
        return course.queueBytes().stream().mapToDouble(Long::doubleValue).max().orElse(0);
    }

    private static List<Claim> claims(Variant variant, Course course) {
        String id = ID + "/" + variant.name();
        String by = " (" + variant.name() + ")";
        return List.of(
                Claim.about(
                                id + "-throughput",
                                "Data fills what credits leave, while any flow is there" + by
                                        + ": mean share of the link, of at most "
                                        + Unit.SHARE.print(variant.dataShareMax()),
                                "94.82 %")
                        .within(
                                Statistics.mean(course.shares()),
                                variant.dataShareMax() - 0.01,
                                variant.dataShareMax() + 0.005,
                                Unit.SHARE),
                Claim.about(id + "-queue", "The data queue stays short" + by, "18 KB")
                        .atMost(queueBytesMax(course), DATA_QUEUE_BYTES_MAX, Unit.BYTES),
                Claim.about(id + "-credit-queue", "No more than 8 credits wait" + by, "672 B, 8 credits")
                        .atMost((double) course.creditQueueFramesMax(), CREDIT_QUEUE_FRAMES_MAX, Unit.NUMBER));
    }

    private static Chart throughput(String name, Course course) {
        List<ChartSeries> series = course.flowsBps().stream()
                .map(flow -> ChartSeries.overTime(
                        flow.id(),
                        course.intervalMillis(),
                        flow.goodputBps().stream().map(bps -> bps / 1e9).toList()))
                .toList();
        return new Chart(
                "Throughput, " + name,
                Chart.Kind.CURVES,
                Axis.linear("time (ms)"),
                Axis.linear("goodput (Gbps)"),
                series);
    }

    private static Chart queue(String name, Course course) {
        List<Double> kilobytes =
                course.queueBytes().stream().map(bytes -> bytes / 1e3).toList();
        return new Chart(
                "Longest data queue, " + name,
                Chart.Kind.CURVES,
                Axis.linear("time (ms)"),
                Axis.linear("queue (KB)"),
                List.of(ChartSeries.overTime("queue", course.intervalMillis(), kilobytes)));
    }
}
