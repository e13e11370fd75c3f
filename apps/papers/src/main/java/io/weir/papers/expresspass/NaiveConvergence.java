package io.weir.papers.expresspass;

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
import io.weir.transport.scenario.result.ScenarioResult;
import java.util.ArrayList;
import java.util.List;

/** Figure 2: a second flow joins; credits without feedback share at once, TCP's variants take long. */
public final class NaiveConvergence implements Figure {
    private static final String ID = "expresspass/fig2";
    private static final String FILE = "expresspass/fig02-naive.yaml";

    /** What commodity switches do: the credit that finds its queue full is dropped. */
    private static final Variant TAIL = new Variant("naive, tail drop", Variant.DATA_SHARE_SPREAD, List.of());

    private static final List<Variant> PEERS = List.of(
            Peers.dctcpOfRfc(1).with("dctcp", "protocol=dctcp", "topology.ecn={threshold: 99970B}", "duration=100ms"),
            Peers.dctcpOfRfc(1).with("cubic", "protocol=cubic", "duration=300ms"));

    private static final int JOIN_INTERVAL = 200;
    private static final int WINDOW = 10;
    private static final double TOLERANCE = 0.2;
    private static final int STEADY_WINDOW = 40;
    private static final double TIMES_LONGER = 50;
    private static final double INTERVAL_MICROS = 25;

    public NaiveConvergence() {}

    /**
     * What remains of a run.
     *
     * @param first the goodput of the flow that was there
     * @param second that of the one that joined
     * @param dataDrops frames dropped
     */
    record Shares(List<Double> first, List<Double> second, long dataDrops) {}

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String title() {
        return "Convergence of credits without feedback, of CUBIC and of DCTCP";
    }

    @Override
    public Setting setting(Scale scale) {
        return new Setting(
                "10 Gbps, a testbed's host delays, round trips of about 25 us. One flow sends; a second joins. Intervals of 25 us.",
                Setting.AS_IN_THE_PAPER + "; the testbed is simulated");
    }

    @Override
    public List<PaperRun<?>> runs(Scale scale) {
        List<PaperRun<?>> runs = new ArrayList<>();
        runs.add(run(Variant.NAIVE));
        runs.add(run(TAIL));
        PEERS.forEach(peer -> runs.add(run(peer)));
        return runs;
    }

    private static PaperRun<Shares> run(Variant variant) {
        return variant.run(FILE, "", NaiveConvergence::shares, List.of());
    }

    private static Shares shares(ScenarioResult result) {
        return new Shares(
                Extracts.series(result, "first"),
                Extracts.series(result, "second"),
                result.summary().dataDrops());
    }

    @Override
    public Findings evaluate(RunResults results, Scale scale) {
        Shares naive = results.get(run(Variant.NAIVE));
        double share = shareAfterJoining(naive);
        double roundTrips = roundTrips(naive);
        List<Claim> claims = new ArrayList<>();
        claims.add(Claim.about(
                        ID + "/naive",
                        "Without feedback a second flow has its fair share at once: its part of it over the ten round trips after its"
                                + " first",
                        "fair in 1 RTT")
                .within(share, 1 - TOLERANCE, 1 + TOLERANCE, Unit.TIMES));
        Shares tail = results.get(run(TAIL));
        claims.add(Claim.about(
                        ID + "/tail", "The same where the tail is dropped, as commodity switches do", "fair in 1 RTT")
                .reported(Unit.TIMES.print(shareAfterJoining(tail))));
        for (Variant peer : PEERS) {
            double times = roundTrips(results.get(run(peer))) / roundTrips;
            claims.add(Claim.about(
                            ID + "/" + peer.name(),
                            peer.name()
                                    + " takes longer until a millisecond's mean stays within a fifth of the fair share",
                            "far longer")
                    .atLeast(times, TIMES_LONGER, Unit.TIMES));
        }
        claims.add(Extracts.noDrops(ID, naive.dataDrops() + tail.dataDrops()));
        return new Findings(claims, charts(results), List.of());
    }

    /** {@return what the second flow has of its fair share over the ten intervals after that of its opening} */
    static double shareAfterJoining(Shares shares) {
        int from = JOIN_INTERVAL + 1;
        return Statistics.mean(shares.second().subList(from, from + WINDOW)) / fair(shares);
    }

    /**
     * {@return the intervals until the second flow, over a millisecond, keeps its share within a fifth; 1 if from the
     * first on}
     */
    static double roundTrips(Shares shares) {
        return Math.max(
                1, Convergence.lastAway(shares.second(), JOIN_INTERVAL, fair(shares), TOLERANCE, STEADY_WINDOW));
    }

    private static double fair(Shares shares) {
        return Statistics.mean(shares.first().subList(JOIN_INTERVAL / 2, JOIN_INTERVAL)) / 2;
    }

    private List<Chart> charts(RunResults results) {
        List<Chart> charts = new ArrayList<>();
        for (PaperRun<?> run : runs(Scale.QUICK)) {
            Shares shares = (Shares) results.get(run);
            charts.add(new Chart(
                    "Two flows, " + run.name(),
                    Chart.Kind.CURVES,
                    Axis.linear("time (us)"),
                    Axis.linear("goodput (Gbps)"),
                    List.of(line("first", shares.first()), line("second", shares.second()))));
        }
        return charts;
    }

    private static ChartSeries line(String name, List<Double> goodputBps) {
        return ChartSeries.overTime(
                name,
                INTERVAL_MICROS,
                goodputBps.stream().map(value -> value / 1e9).toList());
    }
}
