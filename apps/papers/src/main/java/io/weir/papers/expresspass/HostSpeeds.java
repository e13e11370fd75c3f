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
import io.weir.papers.Unit;
import io.weir.papers.Variant;
import io.weir.transport.scenario.result.ScenarioResult;
import java.util.ArrayList;
import java.util.List;

/** Section 7: receivers on links of different rates share a bottleneck unfairly. */
public final class HostSpeeds implements Figure {
    private static final String ID = "expresspass/sec7";
    private static final String FILE = "expresspass/sec07-host-speeds.yaml";
    private static final double UNFAIR = 1.5;
    private static final List<Variant> VARIANTS = List.of(
            Variant.AUTHORS,
            Variant.WEIR.with("weir", "protocol=weir", "network.defaults.credits={model: exact}"),
            Variant.NAIVE.with("naive", "protocol=naive", "network.defaults.credits={model: exact}"));

    /** Creates the figure. */
    public HostSpeeds() {}

    /**
     * What remains of a run.
     *
     * @param fastBps the goodput to the receiver at 40 Gbps
     * @param slowBps the goodput to the one at 10 Gbps
     * @param dataDrops frames dropped
     */
    record Pair(double fastBps, double slowBps, long dataDrops) {
        /** {@return how many times as much the fast receiver has} */
        double ratio() {
            return fastBps / slowBps;
        }
    }

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String title() {
        return "Receivers on links of different rates";
    }

    @Override
    public Setting setting(Scale scale) {
        return new Setting(
                "Two flows over one link of 10 Gbps, one to a host on a link of 10 Gbps, one to a host on a link of 40 Gbps.",
                Setting.AS_IN_THE_PAPER + ", which names it as a limit and has no figure");
    }

    private static PaperRun<Pair> run(Variant variant) {
        return variant.run(FILE, "", HostSpeeds::pair, List.of());
    }

    private static Pair pair(ScenarioResult result) {
        List<Double> goodputs = Extracts.goodputs(result);
        return new Pair(goodputs.get(0), goodputs.get(1), result.summary().dataDrops());
    }

    @Override
    public List<PaperRun<?>> runs(Scale scale) {
        return VARIANTS.stream().<PaperRun<?>>map(variant -> run(variant)).toList();
    }

    @Override
    public Findings evaluate(RunResults results, Scale scale) {
        List<Claim> claims = new ArrayList<>();
        List<Double> fast = new ArrayList<>();
        List<Double> slow = new ArrayList<>();
        long drops = 0;
        for (Variant variant : VARIANTS) {
            Pair pair = results.get(run(variant));
            fast.add(pair.fastBps() / 1e9);
            slow.add(pair.slowBps() / 1e9);
            drops += pair.dataDrops();
            claims.add(Claim.about(
                            ID + "/" + variant.word(),
                            "The receiver on the faster link has more of the bottleneck (" + variant.word() + ")",
                            "unfair")
                    .atLeast(pair.ratio(), UNFAIR, Unit.TIMES));
        }
        claims.add(Extracts.noDrops(ID, drops));
        Chart chart = new Chart(
                "Two receivers behind one link of 10 Gbps",
                Chart.Kind.BARS,
                Axis.of("", VARIANTS.stream().map(Variant::word).toList()),
                Axis.linear("goodput (Gbps)"),
                List.of(ChartSeries.bars("at 40 Gbps", fast), ChartSeries.bars("at 10 Gbps", slow)));
        return new Findings(claims, List.of(chart), List.of());
    }
}
