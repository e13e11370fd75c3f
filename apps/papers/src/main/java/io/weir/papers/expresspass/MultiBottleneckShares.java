package io.weir.papers.expresspass;

import io.weir.papers.Axis;
import io.weir.papers.Chart;
import io.weir.papers.Claim;
import io.weir.papers.Curves;
import io.weir.papers.Extracts;
import io.weir.papers.Figure;
import io.weir.papers.Findings;
import io.weir.papers.PaperRun;
import io.weir.papers.RunResults;
import io.weir.papers.Scale;
import io.weir.papers.Setting;
import io.weir.papers.Statistics;
import io.weir.papers.Sweep;
import io.weir.papers.Unit;
import io.weir.papers.Variant;
import io.weir.transport.scenario.result.ScenarioResult;
import java.util.ArrayList;
import java.util.List;

/** Figure 11 (b): what a flow over one bottleneck has beside flows that cross another one before. */
public final class MultiBottleneckShares implements Figure {
    private static final String ID = "expresspass/fig11";
    private static final String FILE = "expresspass/fig11-multi-bottleneck.yaml";
    private static final double LINK_RATE_BPS = 10e9;
    private static final String MAX_MIN = "max-min";
    private static final int FEW = 4;
    private static final double FEW_TOLERANCE = 0.25;
    private static final double MANY_TIMES_MAX = 12;
    private static final double RISE_MAX = 0.25;

    private static final List<Variant> VARIANTS = List.of(Variant.AUTHORS, Variant.WEIR, Variant.NAIVE);

    /** Creates the figure. */
    public MultiBottleneckShares() {}

    /**
     * What remains of a run.
     *
     * @param firstShare what the flow over one link has of the most that data can have of a link of 10 Gbps, as wire
     *     bytes
     * @param dataDrops frames dropped
     */
    record First(double firstShare, long dataDrops) {}

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String title() {
        return "Throughput of a flow over one of two bottlenecks";
    }

    @Override
    public Setting setting(Scale scale) {
        return new Setting(
                "Links of 10 Gbps and 4 us; 1 to 128 flows cross two, flow 0 the second alone. Its throughput as a share of the most data"
                        + " of a link.",
                scale == Scale.FULL
                        ? Setting.AS_IN_THE_PAPER
                        : "1, 2, 4, 16, 32 and 128 flows, and 40 ms of which the last 30 count in place of 100 and 80: hundreds of round trips"
                                + " either way.");
    }

    private static Sweep<Integer, First> sweep(Scale scale) {
        return new Sweep<>(
                FILE,
                VARIANTS,
                scale == Scale.FULL ? List.of(1, 2, 4, 8, 16, 32, 64, 128) : List.of(1, 2, 4, 16, 32, 128),
                flows -> scale == Scale.FULL
                        ? List.of("topology.flows=" + flows)
                        : List.of("topology.flows=" + flows, "duration=40ms", "measure.warmUp=10ms"),
                MultiBottleneckShares::first);
    }

    private static First first(ScenarioResult result) {
        double wireBps = result.flows().get(0).goodputBps() * Variant.WIRE_BYTES_PER_PAYLOAD_BYTE;
        return new First(wireBps / LINK_RATE_BPS, result.summary().dataDrops());
    }

    @Override
    public List<PaperRun<?>> runs(Scale scale) {
        return sweep(scale).runs();
    }

    @Override
    public Findings evaluate(RunResults results, Scale scale) {
        Sweep<Integer, First> sweep = sweep(scale);
        Curves curves = new Curves();
        long drops = 0;
        for (int flows : sweep.points()) {
            curves.add(MAX_MIN, flows, 1.0 / (flows + 1));
            for (Variant variant : VARIANTS) {
                First first = sweep.at(results, variant, flows);
                curves.add(variant.word(), flows, first.firstShare() / variant.dataShareMax());
                drops += first.dataDrops();
            }
        }
        List<Claim> claims = new ArrayList<>();
        feedback(claims, Variant.AUTHORS.word(), sweep.points(), curves);
        feedback(claims, Variant.WEIR.word(), sweep.points(), curves);
        naive(claims, curves.values(Variant.NAIVE.word()));
        claims.add(Extracts.noDrops(ID, drops));
        Chart chart = new Chart(
                "Flow 0 beside flows over two bottlenecks",
                Chart.Kind.LINES,
                Axis.logarithmic("flows over both bottlenecks"),
                Axis.linear("share of the link"),
                curves.series());
        return new Findings(claims, List.of(chart), List.of());
    }

    private static void feedback(List<Claim> claims, String word, List<Integer> points, Curves curves) {
        List<Double> values = curves.values(word);
        List<Double> times = timesMaxMin(points, values);
        int few = (int) points.stream().filter(flows -> flows <= FEW).count();
        List<Double> beyond = times.subList(few, times.size());
        double gap = largestGap(times.subList(0, few));
        Claim.Draft close = Claim.about(
                ID + "/" + word + "-few",
                "With up to four flows it has nearly its max-min share (" + word
                        + "): the farthest, as a share of that",
                "follows it closely");
        claims.add(close.atMost(gap, FEW_TOLERANCE, Unit.SHARE).explained());
        claims.add(Claim.about(
                        ID + "/" + word + "-many",
                        "With more it has a little more (" + word + "): the most times its max-min share",
                        "a small gap")
                .within(Statistics.max(beyond), 1, MANY_TIMES_MAX, Unit.TIMES)
                .explained());
        claims.add(Claim.about(
                        ID + "/" + word + "-least",
                        "and not less (" + word + "): the fewest times its max-min share",
                        "not below")
                .atLeast(Statistics.min(beyond), 1 - FEW_TOLERANCE, Unit.TIMES));
        claims.add(Claim.about(
                        ID + "/" + word + "-falls",
                        "The more flows, the less it has (" + word + "): the largest rise, as a share",
                        "none")
                .atMost(Statistics.largestRise(values), RISE_MAX, Unit.SHARE));
    }

    private static void naive(List<Claim> claims, List<Double> values) {
        claims.add(Claim.about(
                        ID + "/naive",
                        "Without feedback it keeps half of the link, however many the others are: with most flows",
                        "about 50 %")
                .within(values.get(values.size() - 1), 0.4, 0.6, Unit.SHARE));
    }

    /** {@return how many times its max-min share flow 0 has, for each number of other flows} */
    static List<Double> timesMaxMin(List<Integer> flows, List<Double> shares) {
        List<Double> times = new ArrayList<>();
        for (int i = 0; i < flows.size(); i++) {
            times.add(shares.get(i) * (flows.get(i) + 1));
        }
        return times;
    }

    /** {@return how far the farthest is from 1} */
    static double largestGap(List<Double> times) {
        return Statistics.max(times.stream().map(value -> Math.abs(value - 1)).toList());
    }
}
