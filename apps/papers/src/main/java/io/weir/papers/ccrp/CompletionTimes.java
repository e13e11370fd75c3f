package io.weir.papers.ccrp;

import io.weir.papers.Axis;
import io.weir.papers.Chart;
import io.weir.papers.Claim;
import io.weir.papers.Curves;
import io.weir.papers.Figure;
import io.weir.papers.Findings;
import io.weir.papers.PaperRun;
import io.weir.papers.RunResults;
import io.weir.papers.Scale;
import io.weir.papers.Setting;
import io.weir.papers.Statistics;
import io.weir.papers.Table;
import io.weir.papers.Unit;
import java.util.ArrayList;
import java.util.List;

/** Figure 6: completion times of all flows, half of them of DCQCN and half of CCRP or ExpressPass. */
public final class CompletionTimes implements Figure {
    private static final String ID = "ccrp/fig6";
    private static final String FILE = "ccrp/fig06-completion-times.yaml";
    private static final List<String> CREDITS = List.of(Mixes.CCRP, Mixes.EXPRESSPASS);
    private static final double P99 = 0.99;
    private static final double P999 = 0.999;
    private static final double TIMES_MAX = 0.9;
    private static final int POINTS = 200;

    public CompletionTimes() {}

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String title() {
        return "Completion times of flows of DCQCN and of CCRP or ExpressPass";
    }

    @Override
    public Setting setting(Scale scale) {
        Setting usual = Mixes.setting(
                "16 pairs of hosts, Poisson arrivals with the sizes of Cache Follower, each kind at 0.3 of the shared link; the"
                        + " paper says neither.",
                scale);
        return scale == Scale.FULL
                ? usual
                : new Setting(
                        usual.paper(),
                        "arrivals for 400 ms in place of 4 s, with 5 seeds: some 2000 flows, the same for all protocols, whose times are"
                                + " judged together.");
    }

    private static List<PaperRun<Times>> runs(String dcqcn, String credits, Scale scale) {
        return Mixes.seeds(scale)
                .mapToObj(seed -> run(dcqcn, credits, seed, scale))
                .toList();
    }

    private static Times times(RunResults results, String dcqcn, String credits, Scale scale) {
        return Times.together(
                runs(dcqcn, credits, scale).stream().map(results::get).toList());
    }

    private static PaperRun<Times> run(String dcqcn, String credits, int seed, Scale scale) {
        List<String> settings =
                new ArrayList<>(List.of("traffic[reactive].protocol=" + dcqcn, "traffic[credits].protocol=" + credits));
        if (scale == Scale.QUICK) {
            settings.add("traffic[reactive].until=400ms");
            settings.add("traffic[credits].until=400ms");
        }
        settings.add("seed=" + seed);
        return new PaperRun<>(credits + " next to " + dcqcn + ", seed " + seed, FILE, settings, Times::of);
    }

    @Override
    public List<PaperRun<?>> runs(Scale scale) {
        List<PaperRun<?>> runs = new ArrayList<>();
        for (String dcqcn : Mixes.DCQCNS) {
            CREDITS.forEach(credits -> runs.addAll(runs(dcqcn, credits, scale)));
        }
        return runs;
    }

    @Override
    public Findings evaluate(RunResults results, Scale scale) {
        List<Claim> claims = new ArrayList<>();
        List<List<String>> rows = new ArrayList<>();
        Curves curves = new Curves();
        long unfinished = 0;
        for (String dcqcn : Mixes.DCQCNS) {
            Times own = times(results, dcqcn, Mixes.CCRP, scale);
            Times others = times(results, dcqcn, Mixes.EXPRESSPASS, scale);
            claims.add(Claim.about(
                            ID + "/p99-" + dcqcn,
                            "The slowest hundredth of flows is faster with CCRP and " + dcqcn
                                    + " than with ExpressPass; time over that with ExpressPass",
                            "much better")
                    .atMost(own.percentile(P99) / others.percentile(P99), TIMES_MAX, Unit.TIMES));
            claims.add(Claim.about(ID + "/mean-" + dcqcn, "The average is better, too", "better")
                    .reported(Unit.TIMES.print(
                            Statistics.mean(own.sortedNanos()) / Statistics.mean(others.sortedNanos()))));
            for (String credits : CREDITS) {
                Times times = times(results, dcqcn, credits, scale);
                unfinished += times.unfinished();
                rows.add(row(credits + " next to " + dcqcn, times));
                draw(curves, credits + " next to " + dcqcn, times);
            }
        }
        claims.add(Claim.about(ID + "/complete", "No flow is left when a run ends", "none")
                .atMost((double) unfinished, 0, Unit.NUMBER));
        Chart chart = new Chart(
                "Distribution of completion times",
                Chart.Kind.CURVES,
                Axis.logarithmic("completion time (us)"),
                Axis.linear("share of flows"),
                curves.series());
        Table table = new Table("Completion times", List.of("run", "flows", "average", "p99", "p99.9", "drops"), rows);
        return Mixes.findings(claims, List.of(chart), List.of(table));
    }

    private static List<String> row(String name, Times times) {
        return List.of(
                name,
                Integer.toString(times.sortedNanos().size()),
                Unit.NANOS.print(Statistics.mean(times.sortedNanos())),
                Unit.NANOS.print(times.percentile(P99)),
                Unit.NANOS.print(times.percentile(P999)),
                Long.toString(times.dataDrops()));
    }

    private static void draw(Curves curves, String name, Times times) {
        for (int i = 0; i < POINTS; i++) {
            double share = (double) i / POINTS;
            curves.add(name, times.percentile(share) / 1e3, share);
        }
    }
}
