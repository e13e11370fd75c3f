package io.weir.papers.tfc;

import io.weir.papers.Axis;
import io.weir.papers.Chart;
import io.weir.papers.ChartSeries;
import io.weir.papers.Claim;
import io.weir.papers.Convergence;
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
import java.util.ArrayList;
import java.util.List;

/** Figure 10: convergence rate. */
public final class JoiningConvergence implements Figure {
    private static final String ID = "tfc/fig10";
    private static final double ROUND_MICROS = 60;
    private static final int JOIN_MILLIS = 300;
    private static final int JOIN_INTERVAL = 5_000;
    private static final int FLOWS = 3;
    private static final double SHARE = 0.9;
    /** When a flow of TCP first loses a frame decides when it has its share. */
    private static final List<Integer> SEEDS = List.of(1, 2, 3, 4, 5);
    /** A round trip holds one to two frames of a flow: a mean over ten shows its share to a few percent. */
    private static final int MEAN_ROUNDS = 10;

    private static final double TFC_ROUNDS = 3;
    private static final double DCTCP_TIMES = 20;
    private static final double TCP_TIMES = 100;

    public JoiningConvergence() {}

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String title() {
        return "The third flow joins two: round trips until it has its share";
    }

    @Override
    public Setting setting(Scale scale) {
        return Testbed.setting(
                scale,
                "the third flow comes after 0.3 s, in which the two before it have settled; goodput for every round trip of 60 us; medians of"
                        + " five seeds.");
    }

    /**
     * What remains of a run.
     *
     * @param totalBps the goodput of all, round trip by round trip
     * @param thirdBps that of the flow that joins
     */
    record Course(List<Double> totalBps, List<Double> thirdBps) {
        /**
         * {@return round trips from its opening, which takes one, until its goodput over the ten that follow is within
         * 10 % of its share; the number of those measured if that never comes}
         */
        double rounds() {
            double fairBps = Statistics.mean(totalBps.subList(JOIN_INTERVAL, totalBps.size())) / FLOWS;
            double found = Convergence.firstMeanAtLeast(thirdBps, JOIN_INTERVAL + 1, SHARE * fairBps, MEAN_ROUNDS);
            // The first of the ten counts, not the last.
            return Double.isFinite(found) ? found - MEAN_ROUNDS + 1 : thirdBps.size() - JOIN_INTERVAL;
        }
    }

    private static PaperRun<Course> run(Variant variant, int seed, Scale scale) {
        int endMillis = scale == Scale.QUICK ? 600 : 3_000;
        return variant.run(
                Joining.FILE,
                "seed " + seed,
                result -> new Course(result.series().totalGoodputBps(), Extracts.series(result, "odd-2")),
                List.of(
                        "seed=" + seed,
                        "duration=" + endMillis + "ms",
                        "traffic[odd].start={every: " + JOIN_MILLIS + "ms}",
                        "traffic[even].start={at: 100ms, every: 10s}",
                        "traffic[even].count=1",
                        "measure={interval: 60us, warmUp: 300ms, perFlow: true}"));
    }

    @Override
    public List<PaperRun<?>> runs(Scale scale) {
        return SEEDS.stream()
                .<PaperRun<?>>flatMap(seed -> Testbed.ALL.stream().map(variant -> run(variant, seed, scale)))
                .toList();
    }

    /** {@return a run by each protocol of the figure, those of the chart} */
    static List<PaperRun<Course>> firstRuns(Scale scale) {
        return Testbed.ALL.stream()
                .map(variant -> run(variant, SEEDS.get(0), scale))
                .toList();
    }

    private static double rounds(RunResults results, Variant variant, Scale scale) {
        return Statistics.median(SEEDS.stream()
                .map(seed -> results.get(run(variant, seed, scale)).rounds())
                .toList());
    }

    @Override
    public Findings evaluate(RunResults results, Scale scale) {
        double tfc = rounds(results, Testbed.TFC, scale);
        double dctcp = rounds(results, Testbed.DCTCP, scale);
        double newReno = rounds(results, Testbed.NEWRENO, scale);
        double base = Math.max(1, tfc);
        List<Claim> claims = List.of(
                Claim.about(
                                ID + "/tfc",
                                "A TFC flow has its share within a few round trips of its opening",
                                "one round")
                        .atMost(tfc, TFC_ROUNDS, Unit.ROUND_TRIPS),
                Claim.about(
                                ID + "/dctcp",
                                "A DCTCP flow takes many times as long; round trips " + Unit.NUMBER.print(dctcp),
                                "about 20 (the text says microseconds, the axis milliseconds)")
                        .atLeast(dctcp / base, DCTCP_TIMES, Unit.TIMES),
                Claim.about(
                                ID + "/tcp",
                                "A TCP flow hardly converges; round trips " + Unit.NUMBER.print(newReno),
                                "hardly")
                        .atLeast(newReno / base, TCP_TIMES, Unit.TIMES));
        return new Findings(claims.stream().map(Claim::explained).toList(), List.of(chart(results, scale)), List.of());
    }

    private static Chart chart(RunResults results, Scale scale) {
        List<ChartSeries> series = new ArrayList<>();
        for (Variant variant : Testbed.ALL) {
            List<Double> bps = results.get(run(variant, SEEDS.get(0), scale)).thirdBps();
            List<Double> means = new ArrayList<>();
            for (int i = JOIN_INTERVAL;
                    i + MEAN_ROUNDS <= Math.min(bps.size(), JOIN_INTERVAL + 500);
                    i += MEAN_ROUNDS) {
                means.add(Statistics.mean(bps.subList(i, i + MEAN_ROUNDS)) / 1e6);
            }
            series.add(ChartSeries.overTime(variant.name(), MEAN_ROUNDS * ROUND_MICROS / 1e3, means));
        }
        return new Chart(
                "Goodput of the third flow from its start on",
                Chart.Kind.CURVES,
                Axis.linear("time (ms)"),
                Axis.linear("goodput (Mbps)"),
                series);
    }
}
