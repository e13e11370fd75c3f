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

/** Figure 20: the share of credits that find nothing to send, by workload, link and first rate. */
public final class WasteUnderLoad implements Figure {
    private static final String ID = "expresspass/fig20";
    private static final double PERCENT = 100;

    /** Two links and two first rates of the authors' rule, and Weir's. */
    private static final List<Line> LINES = List.of(
            new Line("authors 10G 1/16", Variant.AUTHORS, false),
            new Line("authors 40G 1/16", Variant.AUTHORS, true),
            new Line("authors 10G 1/2", TreeRuns.withAlpha("1/2"), false),
            new Line("authors 40G 1/2", TreeRuns.withAlpha("1/2"), true),
            new Line("weir 10G", Variant.WEIR, false),
            new Line("weir 40G", Variant.WEIR, true));

    private static final int SLOW_16 = 0;
    private static final int FAST_16 = 1;
    private static final int SLOW_2 = 2;
    private static final int FAST_2 = 3;

    /** Creates the figure. */
    public WasteUnderLoad() {}

    /**
     * A set of bars.
     *
     * @param word what the legend calls it
     * @param variant what sends credits
     * @param isFast whether the links have 40 Gbps
     */
    private record Line(String word, Variant variant, boolean isFast) {
        PaperRun<TreeResult> run(Workload workload, Scale scale) {
            return isFast ? TreeRuns.fasterRun(workload, variant, scale) : TreeRuns.run(workload, variant, scale);
        }
    }

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String title() {
        return "Credits that find nothing to send";
    }

    @Override
    public Setting setting(Scale scale) {
        return TreeRuns.setting(
                "Links of 10 and of 40 Gbps; alpha = w_init of 1/2 and of 1/16. The share is that of the credits which reach senders.",
                scale);
    }

    @Override
    public List<PaperRun<?>> runs(Scale scale) {
        List<PaperRun<?>> runs = new ArrayList<>();
        for (Line line : LINES) {
            for (Workload workload : Workload.values()) {
                runs.add(line.run(workload, scale));
            }
        }
        return runs;
    }

    @Override
    public Findings evaluate(RunResults results, Scale scale) {
        List<List<Double>> waste = new ArrayList<>();
        long drops = 0;
        for (Line line : LINES) {
            List<Double> shares = new ArrayList<>();
            for (Workload workload : Workload.values()) {
                TreeResult result = results.get(line.run(workload, scale));
                shares.add(result.wasteFraction());
                drops += result.dataDrops();
            }
            waste.add(shares);
        }
        List<Claim> claims = new ArrayList<>();
        claims.add(
                Claim.about(ID + "/web-server", "Web Server wastes a fifth of its credits at 10 Gbps with 1/16", "19 %")
                        .within(waste.get(SLOW_16).get(0), 0.11, 0.27, Unit.SHARE));
        claims.add(faster("1-16", waste.get(SLOW_16), waste.get(FAST_16)));
        claims.add(faster("1-2", waste.get(SLOW_2), waste.get(FAST_2)));
        claims.add(order(waste.get(SLOW_16)));
        claims.add(reported("40g-1-16", "Web Server at 40 Gbps with 1/16", "31 %", waste.get(FAST_16)));
        claims.add(reported("10g-1-2", "Web Server at 10 Gbps with 1/2", "34 %", waste.get(SLOW_2)));
        claims.add(reported("40g-1-2", "Web Server at 40 Gbps with 1/2", "60 %", waste.get(FAST_2)));
        claims.add(reported(
                "weir", "Web Server at 10 Gbps, credits that follow the backlog (weir)", "19 % without", waste.get(4)));
        claims.add(TreeRuns.noDrops(ID, drops));
        return TreeRuns.findings(claims, List.of(chart(waste)), List.of(table(waste)));
    }

    /** {@return the claim that faster links waste more, in each workload} */
    static Claim faster(String name, List<Double> slow, List<Double> fast) {
        double least = Double.POSITIVE_INFINITY;
        for (int i = 0; i < slow.size(); i++) {
            least = Math.min(least, fast.get(i) - slow.get(i));
        }
        return Claim.about(
                        ID + "/faster-" + name,
                        "Links of 40 Gbps waste a larger share than links of 10 (" + name.replace('-', '/')
                                + "); the least difference of the workloads",
                        "12 points and more in Web Server")
                .atLeast(least, 0, Unit.SHARE);
    }

    /** {@return the claim that workloads of larger flows waste less; the workloads rise in their mean size} */
    static Claim order(List<Double> shares) {
        boolean falls = true;
        for (int i = 1; i < shares.size(); i++) {
            falls &= shares.get(i) < shares.get(i - 1);
        }
        String text = String.join(", ", shares.stream().map(Unit.SHARE::print).toList());
        return Claim.about(
                        ID + "/order",
                        "The smaller the flows, the more is wasted: Web Server, Cache Follower, Web Search, Data Mining (10 Gbps, 1/16)",
                        "falls")
                .holds(falls, text, "falls", falls ? "in order" : "out of order");
    }

    private static Claim reported(String name, String statement, String paper, List<Double> shares) {
        return Claim.about(ID + "/" + name, statement, paper).reported(Unit.SHARE.print(shares.get(0)));
    }

    private static List<String> workloads() {
        return List.of(Workload.values()).stream().map(Workload::title).toList();
    }

    private static Chart chart(List<List<Double>> waste) {
        List<ChartSeries> series = new ArrayList<>();
        for (int line = 0; line < LINES.size(); line++) {
            series.add(ChartSeries.bars(
                    LINES.get(line).word(),
                    waste.get(line).stream().map(share -> PERCENT * share).toList()));
        }
        return new Chart(
                "Credits wasted at a load of 0.6",
                Chart.Kind.BARS,
                Axis.of("workload", workloads()),
                Axis.linear("credits wasted (% of those that arrive)"),
                series);
    }

    private static Table table(List<List<Double>> waste) {
        List<String> columns = new ArrayList<>(List.of("what"));
        columns.addAll(workloads());
        List<List<String>> rows = new ArrayList<>();
        for (int line = 0; line < LINES.size(); line++) {
            List<String> row = new ArrayList<>(List.of(LINES.get(line).word()));
            waste.get(line).forEach(share -> row.add(Unit.SHARE.print(share)));
            rows.add(row);
        }
        return new Table("Credits wasted", columns, rows);
    }
}
