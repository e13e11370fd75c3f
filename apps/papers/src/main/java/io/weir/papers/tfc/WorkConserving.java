package io.weir.papers.tfc;

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
import io.weir.transport.scenario.result.FlowResult;
import io.weir.transport.scenario.result.PortResult;
import io.weir.transport.scenario.result.ScenarioResult;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Figure 11: work conservation. */
public final class WorkConserving implements Figure {
    private static final String ID = "tfc/fig11";
    private static final String FILE = "tfc/fig11-work-conserving.yaml";
    private static final double USE_BPS = 0.88e9;
    private static final double QUEUE_BYTES = 4_000;
    private static final double PLAIN_BPS = 0.8e9;
    private static final List<Integer> SEEDS = List.of(1, 2, 3, 4, 5);
    static final Variant PLAIN = new Variant("no adjustment", 1, List.of("network.defaults.tfc={alpha: 100%}"));

    public WorkConserving() {}

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String title() {
        return "Two bottlenecks: goodput and queue of both";
    }

    @Override
    public Setting setting(Scale scale) {
        return Testbed.setting(
                scale,
                "3 s; medians of five seeds, since which flow measures a port's round is settled by chance and then stays.");
    }

    /**
     * What remains of a run.
     *
     * @param firstBps the goodput of the flows over the first bottleneck
     * @param secondBps that of those over the second
     * @param first the port of the first
     * @param second that of the second
     * @param dataDrops frames dropped
     */
    record Course(double firstBps, double secondBps, PortResult first, PortResult second, long dataDrops) {
        private double queueBytesMean() {
            return Math.max(first.queueBytesMean(), second.queueBytesMean());
        }
    }

    static PaperRun<Course> run(Variant variant, List<String> settings) {
        return run(variant, "", settings);
    }

    private static PaperRun<Course> run(Variant variant, String point, List<String> settings) {
        return variant.run(FILE, point, WorkConserving::course, settings);
    }

    private static List<PaperRun<Course>> runs(Variant variant, Scale scale) {
        String duration = "duration=" + (scale == Scale.QUICK ? "3s" : "10s");
        return SEEDS.stream()
                .map(seed -> run(variant, "seed " + seed, List.of(duration, "measure.warmUp=1s", "seed=" + seed)))
                .toList();
    }

    private static double median(RunResults results, Variant variant, Scale scale, ToDoubleFunction<Course> value) {
        return Statistics.median(runs(variant, scale).stream()
                .map(run -> value.applyAsDouble(results.get(run)))
                .toList());
    }

    private static Course course(ScenarioResult result) {
        return new Course(
                total(result, "n1", "n2"),
                total(result, "n2", "n3"),
                Testbed.port(result, "s1", "s2"),
                Testbed.port(result, "s2", "h3"),
                result.summary().dataDrops());
    }

    private static double total(ScenarioResult result, String one, String other) {
        return result.flows().stream()
                .filter(flow -> flow.id().startsWith(one) || flow.id().startsWith(other))
                .mapToDouble(FlowResult::goodputBps)
                .sum();
    }

    @Override
    public List<PaperRun<?>> runs(Scale scale) {
        List<PaperRun<?>> runs = new ArrayList<>(runs(Testbed.TFC, scale));
        runs.addAll(runs(PLAIN, scale));
        return runs;
    }

    @Override
    public Findings evaluate(RunResults results, Scale scale) {
        Variant tfc = Testbed.TFC;
        long dataDrops = runs(tfc, scale).stream()
                .mapToLong(run -> results.get(run).dataDrops())
                .sum();
        List<Claim> claims = List.of(
                Claim.about(ID + "/s1", "Goodput over the first bottleneck", "high, a little less than S2")
                        .atLeast(median(results, tfc, scale, Course::firstBps), USE_BPS, Unit.BPS),
                Claim.about(ID + "/s2", "Goodput over the second, whose flows the first holds back", "high")
                        .atLeast(median(results, tfc, scale, Course::secondBps), USE_BPS, Unit.BPS),
                Claim.about(ID + "/queues", "Queues of about a frame; the larger mean", "2 KB")
                        .atMost(median(results, tfc, scale, Course::queueBytesMean), QUEUE_BYTES, Unit.BYTES),
                Claim.about(
                                ID + "/plain",
                                "Without the adjustment of tokens the second is not full",
                                "not in the paper")
                        .atMost(median(results, PLAIN, scale, Course::secondBps), PLAIN_BPS, Unit.BPS),
                Extracts.noDrops(ID, dataDrops));
        return new Findings(claims.stream().map(Claim::explained).toList(), List.of(), List.of());
    }
}
