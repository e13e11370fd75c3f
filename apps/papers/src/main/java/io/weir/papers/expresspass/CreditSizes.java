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
import io.weir.transport.scenario.result.ScenarioResult;
import java.util.List;

/** Section 3.1: what credits take of a link, and why their sizes are random. */
public final class CreditSizes implements Figure {
    private static final String ID = "expresspass/sec3.1";
    private static final String FLOWS_FILE = "expresspass/fig06a-jitter.yaml";
    private static final String LOT_FILE = "expresspass/fig10-parking-lot.yaml";
    private static final double BROKEN = 0.6;
    private static final double FAIR = 0.97;

    /** What a flow must have to be called served: the fair part of each is half of a link. */
    private static final double SERVED = 0.1;

    private static final double STARVED = 0.02;
    private static final double LINK_RATE_BPS = 10e9;

    private static final Variant FIXED = Variant.NAIVE.with(
            "fixed sizes",
            "protocol={preset: naive, smallest: 84B, largest: 84B, jitter: 0%}",
            "topology.credits={model: paper, drop: tail, queue: 8, smallest: 84B, largest: 84B}");

    private static final Variant RANDOM = Variant.NAIVE.with(
            "random sizes",
            "protocol={preset: naive, jitter: 0%}",
            "topology.credits={model: authors, drop: tail, queue: 8, burst: 2}");

    private static final List<Variant> VARIANTS = List.of(FIXED, RANDOM);

    /** Creates the figure. */
    public CreditSizes() {}

    /**
     * What remains of a run.
     *
     * @param jain Jain's index of all flows
     * @param leastShare the goodput of the flow with the least, as a share of the link
     * @param dataDrops frames dropped
     */
    record Shares(double jain, double leastShare, long dataDrops) {}

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String title() {
        return "Credits of random size";
    }

    @Override
    public Setting setting(Scale scale) {
        return new Setting(
                "16 flows without feedback start together on one link of 10 Gbps, evenly paced; and a parking lot of two links. Credits"
                        + " of 84 B, and of 84 to 92 B; full credit queues drop the tail, as commodity switches do.",
                Setting.AS_IN_THE_PAPER + ", which has no figure of it");
    }

    private static PaperRun<Shares> flows(Variant variant) {
        return variant.run(FLOWS_FILE, "16 flows", CreditSizes::shares, List.of("topology.pairs=16", "duration=110ms"));
    }

    private static PaperRun<Shares> lot(Variant variant) {
        return variant.run(
                LOT_FILE,
                "parking lot",
                CreditSizes::shares,
                List.of("topology.bottlenecks=2", "traffic[flow].start=0s"));
    }

    private static Shares shares(ScenarioResult result) {
        List<Double> goodputs = Extracts.goodputs(result);
        return new Shares(
                Statistics.jain(goodputs),
                Statistics.min(goodputs) / LINK_RATE_BPS,
                result.summary().dataDrops());
    }

    @Override
    public List<PaperRun<?>> runs(Scale scale) {
        return VARIANTS.stream()
                .flatMap(variant -> List.<PaperRun<?>>of(flows(variant), lot(variant)).stream())
                .toList();
    }

    @Override
    public Findings evaluate(RunResults results, Scale scale) {
        Shares fixed = results.get(flows(FIXED));
        Shares random = results.get(flows(RANDOM));
        Shares fixedLot = results.get(lot(FIXED));
        Shares randomLot = results.get(lot(RANDOM));
        double creditShare = 1 - Variant.DATA_SHARE_PAPER;
        List<Claim> claims = List.of(
                Claim.about(ID + "/share", "Credits take 84/(84 + 1538) of a link", "about 5 %")
                        .within(creditShare, 0.0517, 0.0519, Unit.SHARE),
                Claim.about(
                                ID + "/fixed",
                                "With fixed sizes and without jitter drop is unfair: Jain's index over 100 ms",
                                "unfair")
                        .atMost(fixed.jain(), BROKEN, Unit.NUMBER),
                Claim.about(ID + "/random", "With random sizes it is fair: Jain's index over 100 ms", "fair")
                        .atLeast(random.jain(), FAIR, Unit.NUMBER),
                Claim.about(
                                ID + "/lot-fixed",
                                "With fixed sizes a flow of a parking lot starves: the least share of the link",
                                "starves")
                        .atMost(fixedLot.leastShare(), STARVED, Unit.SHARE),
                Claim.about(
                                ID + "/lot-random",
                                "With random sizes none does: the least share of the link",
                                "no starvation")
                        .atLeast(randomLot.leastShare(), SERVED, Unit.SHARE),
                Extracts.noDrops(
                        ID, fixed.dataDrops() + random.dataDrops() + fixedLot.dataDrops() + randomLot.dataDrops()));
        Chart chart = new Chart(
                "What random sizes change",
                Chart.Kind.BARS,
                Axis.of("", List.of("Jain's index, 16 flows", "least share of a link, parking lot")),
                Axis.linear("index, share"),
                List.of(
                        ChartSeries.bars(FIXED.word(), List.of(fixed.jain(), fixedLot.leastShare())),
                        ChartSeries.bars(RANDOM.word(), List.of(random.jain(), randomLot.leastShare()))));
        return new Findings(claims, List.of(chart), List.of());
    }
}
