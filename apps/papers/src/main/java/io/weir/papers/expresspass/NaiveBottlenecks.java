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
import io.weir.papers.Trunks;
import io.weir.papers.Unit;
import io.weir.papers.Variant;
import io.weir.transport.scenario.result.ScenarioResult;
import java.util.List;

/** Figure 4: what credits without feedback lose where flows cross two bottlenecks. */
public final class NaiveBottlenecks implements Figure {
    private static final String ID = "expresspass/fig4";
    private static final String SHARES_FILE = "expresspass/fig11-multi-bottleneck.yaml";
    private static final String LOT_FILE = "expresspass/fig10-parking-lot.yaml";

    /** What commodity switches do: a byte meter, and the credit that finds its queue full is dropped. */
    private static final Variant TAIL = new Variant(
            "naive, tail drop",
            Variant.DATA_SHARE_SPREAD,
            List.of("protocol=naive", "topology.credits={model: authors, queue: 8, burst: 2}"));

    private static final List<Variant> VARIANTS = List.of(Variant.NAIVE, TAIL);

    /** Creates the figure. */
    public NaiveBottlenecks() {}

    /**
     * What remains of a run.
     *
     * @param goodputBps of each flow
     * @param leastShare of a link, the utilisation of the least used trunk
     * @param dataDrops frames dropped
     */
    record Outcome(List<Double> goodputBps, double leastShare, long dataDrops) {}

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String title() {
        return "Multiple bottlenecks without feedback";
    }

    @Override
    public Setting setting(Scale scale) {
        return new Setting(
                "Links of 10 Gbps and 4 us. (a) Flows 1 and 2 cross two links, flow 0 the second alone. (b) A flow crosses two links, each"
                        + " of which has a flow of its own.",
                scale == Scale.FULL
                        ? Setting.AS_IN_THE_PAPER
                        : "60 ms in place of 100: a thousand round trips either way.");
    }

    @Override
    public List<PaperRun<?>> runs(Scale scale) {
        return VARIANTS.stream()
                .flatMap(variant -> List.<PaperRun<?>>of(shares(variant, scale), lot(variant, scale)).stream())
                .toList();
    }

    private static PaperRun<Outcome> shares(Variant variant, Scale scale) {
        return variant.run(SHARES_FILE, "(a)", NaiveBottlenecks::outcome, settings("topology.flows=2", scale));
    }

    private static PaperRun<Outcome> lot(Variant variant, Scale scale) {
        return variant.run(LOT_FILE, "(b)", NaiveBottlenecks::outcome, settings("topology.bottlenecks=2", scale));
    }

    private static List<String> settings(String setting, Scale scale) {
        return scale == Scale.FULL ? List.of(setting) : List.of(setting, "duration=60ms");
    }

    private static Outcome outcome(ScenarioResult result) {
        return new Outcome(
                Extracts.goodputs(result),
                Trunks.leastUtilization(result),
                result.summary().dataDrops());
    }

    @Override
    public Findings evaluate(RunResults results, Scale scale) {
        Outcome shares = results.get(shares(Variant.NAIVE, scale));
        Outcome lot = results.get(lot(Variant.NAIVE, scale));
        Outcome tailShares = results.get(shares(TAIL, scale));
        Outcome tailLot = results.get(lot(TAIL, scale));
        List<Claim> claims = List.of(
                Claim.about(ID + "/a", "The flow that crosses one link has twice what each of the other two has", "2")
                        .within(ratio(shares), 1.8, 2.2, Unit.TIMES),
                Claim.about(ID + "/b", "A sixth of the first link is lost to credits that the second drops", "83.3 %")
                        .within(used(lot, Variant.NAIVE), 0.80, 0.85, Unit.SHARE),
                Claim.about(ID + "/a-tail", "The same as (a) where the tail is dropped, as commodity switches do", "2")
                        .reported(Unit.TIMES.print(ratio(tailShares))),
                Claim.about(ID + "/b-tail", "The same as (b) where the tail is dropped", "83.3 %")
                        .reported(Unit.SHARE.print(used(tailLot, TAIL))),
                Extracts.noDrops(
                        ID, shares.dataDrops() + lot.dataDrops() + tailShares.dataDrops() + tailLot.dataDrops()));
        return new Findings(claims, List.of(chart(shares, tailShares)), List.of());
    }

    /** {@return what flow 0, the first, has of the mean of the others} */
    static double ratio(Outcome outcome) {
        List<Double> goodputBps = outcome.goodputBps();
        return 2 * goodputBps.get(0) / (goodputBps.get(1) + goodputBps.get(2));
    }

    private static double used(Outcome outcome, Variant variant) {
        return outcome.leastShare() / variant.dataShareMax();
    }

    private static Chart chart(Outcome random, Outcome tail) {
        return new Chart(
                "(a) Goodput of flows over two links",
                Chart.Kind.BARS,
                Axis.of("flow", List.of("flow 0", "flow 1", "flow 2")),
                Axis.linear("goodput (Gbps)"),
                List.of(bars(Variant.NAIVE, random), bars(TAIL, tail)));
    }

    private static ChartSeries bars(Variant variant, Outcome outcome) {
        return ChartSeries.bars(
                variant.word(),
                outcome.goodputBps().stream().map(value -> value / 1e9).toList());
    }
}
