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

/** Figure 21: how much faster flows are when links have 40 instead of 10 Gbps. */
public final class FasterLinks implements Figure {
    private static final String ID = "expresspass/fig21";
    private static final double SPEED_UP_MIN = 1.4;
    private static final List<SizeWorkload> WORKLOADS = List.of(SizeWorkload.WEB_SEARCH, SizeWorkload.WEB_SERVER);

    /** In the order of the charts; each at 10 Gbps and at 40. */
    private static final List<Line> LINES = List.of(
            new Line(Variant.AUTHORS, Variant.AUTHORS),
            new Line(Variant.WEIR, Variant.WEIR),
            new Line(Peers.rcp(), Peers.rcp()),
            new Line(Peers.dctcp(1), Peers.dctcp(4)),
            new Line(Peers.dctcpOfRfc(1), Peers.dctcpOfRfc(4)),
            new Line(Peers.dx(), Peers.dx()),
            new Line(Peers.hull(1), Peers.hull(4)));

    private static final int AUTHORS = 0;
    private static final int WEIR = 1;
    private static final int DCTCP = 3;

    public FasterLinks() {}

    /**
     * A protocol at both rates.
     *
     * @param slow at 10 Gbps
     * @param fast at 40 Gbps, with thresholds for that
     */
    private record Line(Variant slow, Variant fast) {}

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String title() {
        return "Speed-up of flows by links of 40 instead of 10 Gbps";
    }

    @Override
    public Setting setting(Scale scale) {
        return TreeRuns.setting(
                "Web Search and Web Server; at 40 Gbps four times the arrivals, queues and thresholds.", scale);
    }

    @Override
    public List<PaperRun<?>> runs(Scale scale) {
        List<PaperRun<?>> runs = new ArrayList<>();
        for (SizeWorkload workload : WORKLOADS) {
            for (Line line : LINES) {
                runs.add(TreeRuns.run(workload, line.slow(), scale));
                runs.add(TreeRuns.fasterRun(workload, line.fast(), scale));
            }
        }
        return runs;
    }

    @Override
    public Findings evaluate(RunResults results, Scale scale) {
        Times times = (workload, line, sizeClass, isFast) -> results.get(
                        isFast
                                ? TreeRuns.fasterRun(workload, LINES.get(line).fast(), scale)
                                : TreeRuns.run(workload, LINES.get(line).slow(), scale))
                .of(sizeClass);
        SpeedUp speedUp = (workload, line, sizeClass) -> {
            TreeResult.Times slow = times.of(workload, line, sizeClass, false);
            TreeResult.Times fast = times.of(workload, line, sizeClass, true);
            return slow.isWhole() && fast.isWhole() ? slow.meanNanos() / fast.meanNanos() : Double.NaN;
        };
        List<Claim> claims = new ArrayList<>();
        for (int line : List.of(AUTHORS, WEIR)) {
            claims.addAll(gain(speedUp, line));
        }
        claims.add(Claim.about(ID + "/dctcp-xl", "DCTCP's gain for XL flows (Web Search)", "2.8 times")
                .reported(Unit.TIMES.print(speedUp.of(SizeWorkload.WEB_SEARCH, DCTCP, "XL"))));
        claims.add(TreeRuns.noDrops(ID, drops(results, scale)));
        List<Chart> charts =
                WORKLOADS.stream().map(workload -> chart(workload, speedUp)).toList();
        return TreeRuns.findings(claims, charts, List.of(table(speedUp)));
    }

    @FunctionalInterface
    private interface Times {
        TreeResult.Times of(SizeWorkload workload, int line, String sizeClass, boolean isFast);
    }

    /** How many times faster a class of flows is, or NaN. */
    @FunctionalInterface
    private interface SpeedUp {
        double of(SizeWorkload workload, int line, String sizeClass);
    }

    private static long drops(RunResults results, Scale scale) {
        long drops = 0;
        for (SizeWorkload workload : WORKLOADS) {
            for (Line line : List.of(LINES.get(AUTHORS), LINES.get(WEIR))) {
                drops += results.get(TreeRuns.run(workload, line.slow(), scale)).dataDrops();
                drops += results.get(TreeRuns.fasterRun(workload, line.fast(), scale))
                        .dataDrops();
            }
        }
        return drops;
    }

    private static List<Claim> gain(SpeedUp speedUp, int line) {
        String preset = LINES.get(line).slow().name();
        List<Claim> claims = new ArrayList<>();
        for (String sizeClass : List.of("M", "L", "XL")) {
            claims.add(Claim.about(
                            ID + "/" + preset + "-" + sizeClass,
                            "ExpressPass (" + preset + ") gains from faster links in class " + sizeClass
                                    + " of Web Search",
                            "1.5 to 3.5 times")
                    .atLeast(speedUp.of(SizeWorkload.WEB_SEARCH, line, sizeClass), SPEED_UP_MIN, Unit.TIMES));
        }
        for (String sizeClass : List.of("S", "M")) {
            claims.add(Claim.about(
                            ID + "/" + preset + "-dctcp-" + sizeClass,
                            "ExpressPass (" + preset + ") gains more than DCTCP in class " + sizeClass
                                    + " of Web Search; the ratio of their gains",
                            "more")
                    .atLeast(
                            speedUp.of(SizeWorkload.WEB_SEARCH, line, sizeClass)
                                    / speedUp.of(SizeWorkload.WEB_SEARCH, DCTCP, sizeClass),
                            1,
                            Unit.TIMES));
        }
        return claims;
    }

    private static Chart chart(SizeWorkload workload, SpeedUp speedUp) {
        List<String> classes = TreeRuns.CLASSES.stream()
                .filter(sizeClass -> !Double.isNaN(speedUp.of(workload, AUTHORS, sizeClass)))
                .toList();
        List<ChartSeries> series = new ArrayList<>();
        for (int line = 0; line < LINES.size(); line++) {
            int index = line;
            series.add(ChartSeries.bars(
                    LINES.get(line).slow().name(),
                    classes.stream()
                            .map(sizeClass -> speedUp.of(workload, index, sizeClass))
                            .toList()));
        }
        return new Chart(
                "Speed-up by 40 Gbps, " + workload.title(),
                Chart.Kind.BARS,
                Axis.of("class of size", classes),
                Axis.linear("average completion time at 10 Gbps / at 40 Gbps"),
                series);
    }

    private static Table table(SpeedUp speedUp) {
        List<String> columns = new ArrayList<>(List.of("workload", "class"));
        LINES.forEach(line -> columns.add(line.slow().name()));
        List<List<String>> rows = new ArrayList<>();
        for (SizeWorkload workload : WORKLOADS) {
            for (String sizeClass : TreeRuns.CLASSES) {
                List<String> row = new ArrayList<>(List.of(workload.title(), sizeClass));
                for (int line = 0; line < LINES.size(); line++) {
                    double gain = speedUp.of(workload, line, sizeClass);
                    row.add(Double.isNaN(gain) ? "" : Unit.TIMES.print(gain));
                }
                rows.add(row);
            }
        }
        return new Table("Average completion time at 10 Gbps / at 40 Gbps", columns, rows);
    }
}
