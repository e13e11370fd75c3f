package io.weir.papers.expresspass;

import io.weir.papers.Axis;
import io.weir.papers.Chart;
import io.weir.papers.ChartSeries;
import io.weir.papers.Claim;
import io.weir.papers.Figure;
import io.weir.papers.Findings;
import io.weir.papers.PaperRun;
import io.weir.papers.RunResults;
import io.weir.papers.Scale;
import io.weir.papers.Setting;
import io.weir.papers.Table;
import io.weir.papers.Unit;
import io.weir.papers.Variant;
import java.util.ArrayList;
import java.util.List;

/** Figure 18: what alpha and w_init do to the slowest of the short and of the long flows. */
public final class AlphaTradeOff implements Figure {
    private static final String ID = "expresspass/fig18";
    private static final String FILE = "expresspass/fig18-alpha.yaml";
    private static final double MICROSECOND = 1_000;
    private static final List<String> FRACTIONS = List.of("1/2", "1/4", "1/8", "1/16", "1/32");
    private static final int HALF = 0;
    private static final int SIXTEENTH = 3;
    private static final int LAST = 4;

    /** A run that takes no fraction. */
    private static final String NONE = "";

    /** Creates the figure. */
    public AlphaTradeOff() {}

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String title() {
        return "99th percentile of completion times by alpha and w_init";
    }

    @Override
    public Setting setting(Scale scale) {
        return new Setting(
                "The network of Figure 19, load 0.6, 100,000 flows. The paper does not name the workload: Web Server here,"
                        + " whose short flows waste the most credits.",
                scale == Scale.FULL
                        ? Setting.AS_IN_THE_PAPER
                        : "4,000 flows: 2,500 of class S and 790 of class L, the same for each alpha, so that the 99th percentile is of"
                                + " 25 and of eight flows.");
    }

    @Override
    public List<PaperRun<?>> runs(Scale scale) {
        List<PaperRun<?>> runs = new ArrayList<>();
        FRACTIONS.forEach(fraction -> runs.add(run(fraction, scale)));
        runs.add(run(NONE, scale));
        return runs;
    }

    private static PaperRun<TreeResult> run(String fraction, Scale scale) {
        Variant variant = fraction.equals(NONE) ? Variant.WEIR : TreeRuns.withAlpha(fraction);
        List<String> settings = new ArrayList<>(List.of("traffic[0].sizes=" + Workload.WEB_SERVER.sizes()));
        settings.add(scale == Scale.FULL ? "duration=60s" : "traffic[0].count=4000");
        return variant.run(FILE, "", TreeResult::of, settings);
    }

    @Override
    public Findings evaluate(RunResults results, Scale scale) {
        List<TreeResult> found = new ArrayList<>();
        FRACTIONS.forEach(fraction -> found.add(results.get(run(fraction, scale))));
        TreeResult weir = results.get(run(NONE, scale));
        List<Double> small = p99(found, "S");
        List<Double> large = p99(found, "L");
        List<Claim> claims = List.of(
                Claim.about(
                                ID + "/small-trend",
                                "S flows are slower with 1/32 than with 1/2; the ratio of their 99th percentiles",
                                "slower")
                        .atLeast(small.get(LAST) / small.get(HALF), 1, Unit.TIMES),
                Claim.about(
                                ID + "/large-trend",
                                "L flows are faster with 1/32 than with 1/2; the ratio of their 99th percentiles",
                                "faster")
                        .atMost(large.get(LAST) / large.get(HALF), 1, Unit.TIMES),
                Claim.about(
                                ID + "/small",
                                "S flows with 1/16 lose less than a factor of 2 against 1/2",
                                "less than 2 times")
                        .atMost(small.get(SIXTEENTH) / small.get(HALF), 2, Unit.TIMES),
                Claim.about(ID + "/large", "L flows with 1/16 are significantly faster than with 1/2", "significantly")
                        .atMost(large.get(SIXTEENTH) / large.get(HALF), 0.9, Unit.TIMES),
                Claim.about(
                                ID + "/weir",
                                "Credits that follow the backlog need no such choice (weir): S and L flows",
                                "not in the paper")
                        .reported(Unit.NANOS.print(weir.of("S").p99Nanos()) + " and "
                                + Unit.NANOS.print(weir.of("L").p99Nanos())),
                TreeRuns.noDrops(
                        ID,
                        weir.dataDrops()
                                + found.stream()
                                        .mapToLong(TreeResult::dataDrops)
                                        .sum()));
        return TreeRuns.findings(claims, List.of(chart("S", small), chart("L", large)), List.of(table(found, weir)));
    }

    private static List<Double> p99(List<TreeResult> found, String sizeClass) {
        return found.stream().map(result -> result.of(sizeClass).p99Nanos()).toList();
    }

    private static Chart chart(String sizeClass, List<Double> nanos) {
        return new Chart(
                "Flows of class " + sizeClass + ", 99th percentile",
                Chart.Kind.BARS,
                Axis.of("alpha = w_init", FRACTIONS),
                Axis.linear("completion time (us)"),
                List.of(ChartSeries.bars(
                        "authors",
                        nanos.stream().map(value -> value / MICROSECOND).toList())));
    }

    private static Table table(List<TreeResult> found, TreeResult weir) {
        List<List<String>> rows = new ArrayList<>();
        for (int i = 0; i < FRACTIONS.size(); i++) {
            rows.add(row(FRACTIONS.get(i), found.get(i)));
        }
        rows.add(row("weir", weir));
        return new Table(
                "Completion times, average / 99th percentile, and credits wasted",
                List.of("alpha = w_init", "S", "L", "wasted"),
                rows);
    }

    private static List<String> row(String word, TreeResult result) {
        return List.of(word, print(result.of("S")), print(result.of("L")), Unit.SHARE.print(result.wasteFraction()));
    }

    private static String print(TreeResult.Times times) {
        return Unit.NANOS.print(times.meanNanos()) + " / " + Unit.NANOS.print(times.p99Nanos());
    }
}
