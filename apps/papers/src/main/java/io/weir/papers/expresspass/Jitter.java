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

/** Figure 6 (a): how much jitter between credits fair dropping needs, without feedback. */
public final class Jitter implements Figure {
    private static final String ID = "expresspass/fig6";
    private static final String FILE = "expresspass/fig06a-jitter.yaml";
    private static final String FIXED = "84B";
    private static final int WARM_UP_MILLIS = 10;
    private static final int LONG_MILLIS = 50;
    private static final double BROKEN = 0.6;
    private static final double FAIR = 0.95;
    private static final int FAIR_FLOWS_MAX = 64;

    /** The paper's jitters, and its other remedy: credits of random size. */
    private static final List<Variant> VARIANTS = List.of(
            jitter("0%"),
            jitter("1%"),
            jitter("2%"),
            jitter("4%"),
            jitter("8%"),
            spread("84 to 92 B, no jitter", "topology.credits={model: authors, drop: tail}"),
            Variant.NAIVE.with("weir's pacing and drop", "protocol=naive", "topology.credits={model: exact}"));

    private static final Variant PERFECT = VARIANTS.get(0);
    private static final Variant SIZES = VARIANTS.get(VARIANTS.size() - 2);
    private static final Variant WEIR = VARIANTS.get(VARIANTS.size() - 1);

    /** Creates the figure. */
    public Jitter() {}

    private static Variant jitter(String share) {
        return Variant.NAIVE.with(
                "jitter " + share,
                "protocol={preset: naive, smallest: " + FIXED + ", largest: " + FIXED + ", jitter: " + share + "}");
    }

    private static Variant spread(String word, String meter) {
        return Variant.NAIVE.with(word, "protocol={preset: naive, jitter: 0%}", meter);
    }

    /**
     * What remains of a run.
     *
     * @param jainShort Jain's index over a millisecond, the mean of many
     * @param jainLong Jain's index over all of them
     * @param dataDrops frames dropped
     */
    record Fairness(double jainShort, double jainLong, long dataDrops) {}

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String title() {
        return "Fairness of credit drop against jitter";
    }

    @Override
    public Setting setting(Scale scale) {
        return new Setting(
                "1 to 1024 flows without feedback start together on one link of 10 Gbps; credits of 84 B with a jitter of 0 to 8 % of the"
                        + " gap; Jain's index over 1 ms, and here over 50 ms too. Credits of random size, the paper's other"
                        + " remedy, stand beside, and Weir's pacing: random sizes, 10 % jitter, random drop.",
                scale == Scale.FULL
                        ? "up to 256 flows: without feedback 1024 hosts send 800 million credits a second"
                        : "4, 16 and 64 flows in place of 1 to 1024, as the criteria speak of 64 at most.");
    }

    private static Sweep<Integer, Fairness> sweep(Scale scale) {
        List<Integer> flows = scale == Scale.FULL ? List.of(1, 2, 4, 8, 16, 32, 64, 128, 256) : List.of(4, 16, 64);
        return new Sweep<>(
                FILE,
                VARIANTS,
                flows,
                n -> List.of(
                        "topology.pairs=" + n,
                        "duration=" + (WARM_UP_MILLIS + LONG_MILLIS) + "ms",
                        "measure={interval: 1ms, warmUp: " + WARM_UP_MILLIS + "ms, perFlow: true}"),
                Jitter::fairness);
    }

    private static Fairness fairness(ScenarioResult result) {
        return new Fairness(
                Extracts.jainOverIntervals(result, WARM_UP_MILLIS),
                Statistics.jain(Extracts.goodputs(result)),
                result.summary().dataDrops());
    }

    @Override
    public List<PaperRun<?>> runs(Scale scale) {
        return sweep(scale).runs();
    }

    @Override
    public Findings evaluate(RunResults results, Scale scale) {
        Sweep<Integer, Fairness> sweep = sweep(scale);
        Curves overMillisecond = new Curves();
        Curves overAll = new Curves();
        long drops = 0;
        for (Variant variant : VARIANTS) {
            for (int flows : sweep.points()) {
                Fairness fairness = sweep.at(results, variant, flows);
                overMillisecond.add(variant.word(), flows, fairness.jainShort());
                overAll.add(variant.word(), flows, fairness.jainLong());
                drops += fairness.dataDrops();
            }
        }
        List<Claim> claims = new ArrayList<>(claims(sweep, results));
        claims.add(Extracts.noDrops(ID, drops));
        return new Findings(claims, List.of(chart("1 ms", overMillisecond), chart("50 ms", overAll)), List.of());
    }

    private static List<Claim> claims(Sweep<Integer, Fairness> sweep, RunResults results) {
        List<Claim> claims = new ArrayList<>();
        claims.add(Claim.about(
                        ID + "/perfect",
                        "Perfect pacing is unfair: Jain's index over 1 ms, the fairest of 4 flows and more",
                        "significantly unfair")
                .atMost(Statistics.max(shortIndices(sweep, results, PERFECT)), BROKEN, Unit.NUMBER));
        claims.add(Claim.about(
                        ID + "/sizes",
                        "Credits of random size share fairly without any jitter: over 50 ms, the least fair of 4 to 64 flows",
                        "near 1")
                .atLeast(Statistics.min(longIndices(sweep, results, SIZES)), FAIR, Unit.NUMBER));
        // Random drop favours who comes last in a burst; feedback, which is not here, keeps bursts from being 64
        // credits for one place.
        claims.add(Claim.about(
                        ID + "/weir",
                        "The same by Weir's pacing and random drop, which are made for feedback",
                        "near 1")
                .reported(Unit.NUMBER.print(Statistics.min(longIndices(sweep, results, WEIR)))));
        for (Variant variant : VARIANTS.subList(1, VARIANTS.size() - 2)) {
            claims.add(Claim.about(
                            ID + "/" + variant.word().replace(" ", "-").replace("%", ""),
                            "Tens of nanoseconds of jitter share fairly: " + variant.word()
                                    + ", over 50 ms, the least fair of 4 to 64" + " flows",
                            "near 1 over 1 ms")
                    .reported(Unit.NUMBER.print(Statistics.min(longIndices(sweep, results, variant)))));
        }
        return claims;
    }

    private static List<Double> shortIndices(Sweep<Integer, Fairness> sweep, RunResults results, Variant variant) {
        return sweep.points().stream()
                .filter(flows -> flows >= 4)
                .map(flows -> sweep.at(results, variant, flows).jainShort())
                .toList();
    }

    private static List<Double> longIndices(Sweep<Integer, Fairness> sweep, RunResults results, Variant variant) {
        return sweep.points().stream()
                .filter(flows -> flows >= 4 && flows <= FAIR_FLOWS_MAX)
                .map(flows -> sweep.at(results, variant, flows).jainLong())
                .toList();
    }

    private static Chart chart(String time, Curves curves) {
        return new Chart(
                "Fairness without feedback, over " + time,
                Chart.Kind.LINES,
                Axis.logarithmic("flows"),
                Axis.linear("Jain's index"),
                curves.series());
    }
}
