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
import io.weir.papers.Table;
import io.weir.papers.Trunks;
import io.weir.papers.Unit;
import io.weir.papers.Variant;
import io.weir.transport.scenario.result.ScenarioResult;
import java.util.ArrayList;
import java.util.List;

/** Figure 10 (b): how much of the least used link of a parking lot is used, with and without feedback. */
public final class ParkingLotUtilization implements Figure {
    private static final String ID = "expresspass/fig10";
    private static final String FILE = "expresspass/fig10-parking-lot.yaml";
    private static final int BOTTLENECKS_MAX = 6;
    private static final double FEEDBACK_AT_2 = 0.95;
    private static final double FEEDBACK_BEYOND = 0.93;

    private static final double AIM = 0.978;

    /** Credits as fast as links allow, behind the files' meters. */
    private static final Variant NAIVE_BEHIND_AUTHORS =
            new Variant("naive, authors' meter", Variant.DATA_SHARE_SPREAD, List.of("protocol=naive"));

    private static final List<Variant> LINES =
            List.of(Variant.AUTHORS, Variant.WEIR, Variant.NAIVE, NAIVE_BEHIND_AUTHORS);

    private static final int AUTHORS = 0;
    private static final int WEIR = 1;
    private static final int NAIVE = 2;
    private static final int NAIVE_AUTHORS = 3;

    /** Creates the figure. */
    public ParkingLotUtilization() {}

    /**
     * What remains of a run.
     *
     * @param utilization of the least used trunk, as a share of the link
     * @param dataDrops frames dropped
     */
    private record Point(double utilization, long dataDrops) {}

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String title() {
        return "Utilisation of the least used link of a parking lot";
    }

    @Override
    public Setting setting(Scale scale) {
        return new Setting(
                "1 to 6 links of 10 Gbps in a line, each with a flow of its own, and one flow that crosses all; utilisation as a"
                        + " share of the most data that fits beside credits: 94.6 % of the link by authors, 93.6 % by weir and naive.",
                scale == Scale.FULL
                        ? Setting.AS_IN_THE_PAPER
                        : "40 ms of which the last 30 are measured, in place of 100 and 80: a mean over many hundreds of round"
                                + " trips either way.");
    }

    @Override
    public List<PaperRun<?>> runs(Scale scale) {
        List<PaperRun<?>> runs = new ArrayList<>();
        for (Variant line : LINES) {
            for (int bottlenecks = 1; bottlenecks <= BOTTLENECKS_MAX; bottlenecks++) {
                runs.add(run(line, bottlenecks, scale));
            }
        }
        return runs;
    }

    private static PaperRun<Point> run(Variant line, int bottlenecks, Scale scale) {
        List<String> settings = new ArrayList<>();
        settings.add("topology.bottlenecks=" + bottlenecks);
        if (scale == Scale.QUICK) {
            settings.add("duration=40ms");
            settings.add("measure.warmUp=10ms");
        }
        return line.run(FILE, Integer.toString(bottlenecks), ParkingLotUtilization::point, settings);
    }

    private static Point point(ScenarioResult result) {
        return new Point(Trunks.leastUtilization(result), result.summary().dataDrops());
    }

    @Override
    public Findings evaluate(RunResults results, Scale scale) {
        double[][] utilization = new double[LINES.size()][BOTTLENECKS_MAX];
        long drops = 0;
        for (int line = 0; line < LINES.size(); line++) {
            for (int i = 0; i < BOTTLENECKS_MAX; i++) {
                Point point = results.get(run(LINES.get(line), i + 1, scale));
                utilization[line][i] = point.utilization() / LINES.get(line).dataShareMax();
                drops += point.dataDrops();
            }
        }
        List<Claim> claims = new ArrayList<>();
        feedback(claims, AUTHORS, utilization);
        feedback(claims, WEIR, utilization);
        naive(claims, utilization[NAIVE]);
        double[] weir = utilization[WEIR];
        claims.add(Claim.about(ID + "/weir-aim", "Feedback (weir) is as good as the paper's with six", "97.8 %")
                .atLeast(weir[BOTTLENECKS_MAX - 1], AIM, Unit.SHARE));
        claims.add(Claim.about(
                        ID + "/naive-authors",
                        "Without feedback behind the meters of the authors' simulator, two and six bottlenecks",
                        "83.3 % and 60 %")
                .reported(Unit.SHARE.print(utilization[NAIVE_AUTHORS][1]) + " and "
                        + Unit.SHARE.print(utilization[NAIVE_AUTHORS][5])));
        claims.add(Extracts.noDrops(ID, drops));
        return new Findings(claims, List.of(chart(utilization)), List.of(table(utilization)));
    }

    private static void feedback(List<Claim> claims, int line, double[][] utilization) {
        String word = LINES.get(line).word();
        double[] values = utilization[line];
        claims.add(Claim.about(ID + "/" + word + "-2", "Feedback (" + word + ") fills two bottlenecks", "98.0 %")
                .atLeast(values[1], FEEDBACK_AT_2, Unit.SHARE));
        double least = Math.min(Math.min(values[2], values[3]), Math.min(values[4], values[5]));
        claims.add(Claim.about(
                        ID + "/" + word + "-6",
                        "Feedback (" + word + ") fills three to six bottlenecks; the least of them",
                        "97.8 % with six")
                .atLeast(least, FEEDBACK_BEYOND, Unit.SHARE));
    }

    private static void naive(List<Claim> claims, double[] values) {
        claims.add(Claim.about(
                        ID + "/naive-2",
                        "Without feedback (behind Weir's meters) two bottlenecks lose a sixth",
                        "83.3 %")
                .within(values[1], 0.77, 0.89, Unit.SHARE));
        claims.add(Claim.about(
                        ID + "/naive-6",
                        "Without feedback (behind Weir's meters) six bottlenecks lose two fifths",
                        "60 %")
                .within(values[5], 0.52, 0.68, Unit.SHARE));
        boolean isFalling = true;
        for (int i = 1; i < values.length; i++) {
            isFalling &= values[i] < values[i - 1];
        }
        claims.add(Claim.about(ID + "/naive-falls", "Without feedback each further bottleneck loses more", "it falls")
                .holds(
                        isFalling,
                        isFalling ? "it falls" : "it rises somewhere",
                        "falls from each number of bottlenecks to the next",
                        ""));
    }

    private static Chart chart(double[][] utilization) {
        List<ChartSeries> series = new ArrayList<>();
        for (int line = 0; line < LINES.size(); line++) {
            List<Double> x = new ArrayList<>();
            List<Double> y = new ArrayList<>();
            for (int i = 0; i < BOTTLENECKS_MAX; i++) {
                x.add(i + 1.0);
                y.add(100 * utilization[line][i]);
            }
            series.add(new ChartSeries(LINES.get(line).word(), x, y));
        }
        return new Chart(
                "Least used link of a parking lot",
                Chart.Kind.LINES,
                Axis.linear("bottlenecks"),
                Axis.linear("utilisation (% of the most data)"),
                series);
    }

    private static Table table(double[][] utilization) {
        List<List<String>> rows = new ArrayList<>();
        List<String> columns = new ArrayList<>(List.of("bottlenecks"));
        LINES.forEach(line -> columns.add(line.word()));
        for (int i = 0; i < BOTTLENECKS_MAX; i++) {
            List<String> cells = new ArrayList<>(List.of(Integer.toString(i + 1)));
            for (double[] values : utilization) {
                cells.add(Unit.SHARE.print(values[i]));
            }
            rows.add(cells);
        }
        return new Table("Utilisation of the least used link", columns, rows);
    }
}
