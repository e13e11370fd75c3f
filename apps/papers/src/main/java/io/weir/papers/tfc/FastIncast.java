package io.weir.papers.tfc;

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
import io.weir.papers.Statistics;
import io.weir.papers.Unit;
import io.weir.papers.Variant;
import java.util.ArrayList;
import java.util.List;

/** Figure 15: incast in the large. */
public final class FastIncast implements Figure {
    private static final String ID = "tfc/fig15";
    private static final String FILE = "tfc/fig15-incast-10g.yaml";
    private static final List<Integer> QUICK = List.of(2, 10, 50, 100, 200);
    private static final List<Integer> FULL = List.of(1, 2, 5, 10, 20, 50, 75, 100, 150, 200, 300, 400);
    private static final double LOW = 0.85;
    private static final double HIGH = 0.95;
    private static final double COLLAPSED = 0.5;
    private static final double RATE_BPS = 10e9;

    /** Creates the figure. */
    public FastIncast() {}

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String title() {
        return "Incast at 10 Gbps: throughput by the number of senders";
    }

    @Override
    public Setting setting(Scale scale) {
        return new Setting(
                "10 Gbps, 512 KB of queue, blocks of 256 KB, up to 400 senders, 2 s.",
                scale == Scale.FULL
                        ? Setting.AS_IN_THE_PAPER + ", but 20 rounds in place of 2 s"
                        : "2 rounds, up to 200 senders; each round of 200 has 36,000 frames.");
    }

    private static List<Integer> senders(Scale scale) {
        return scale == Scale.QUICK ? QUICK : FULL;
    }

    private static PaperRun<IncastRounds> run(Variant variant, int senders, Scale scale) {
        return IncastRounds.run(FILE, variant, senders, scale == Scale.QUICK ? 2 : 20);
    }

    @Override
    public List<PaperRun<?>> runs(Scale scale) {
        List<PaperRun<?>> runs = new ArrayList<>();
        for (Variant variant : List.of(Testbed.TFC, Testbed.NEWRENO)) {
            senders(scale).forEach(senders -> runs.add(run(variant, senders, scale)));
        }
        return runs;
    }

    private static double use(RunResults results, Variant variant, int senders, Scale scale) {
        return results.get(run(variant, senders, scale)).goodputBps() / RATE_BPS;
    }

    @Override
    public Findings evaluate(RunResults results, Scale scale) {
        List<Double> uses = new ArrayList<>();
        long drops = 0;
        double newReno = 1;
        for (int senders : senders(scale)) {
            drops += results.get(run(Testbed.TFC, senders, scale)).dataDrops();
            if (senders >= 2) {
                uses.add(use(results, Testbed.TFC, senders, scale));
            }
            if (senders >= 50) {
                newReno = Math.min(newReno, use(results, Testbed.NEWRENO, senders, scale));
            }
        }
        List<Claim> claims = List.of(
                Claim.about(
                                ID + "/tfc-least",
                                "TFC's goodput as a share of the link with 2 senders or more: the least",
                                "around 90 %")
                        .within(Statistics.min(uses), LOW, HIGH, Unit.SHARE),
                Claim.about(
                                ID + "/tfc-most",
                                "TFC's goodput as a share of the link with 2 senders or more: the most",
                                "around 90 %")
                        .within(Statistics.max(uses), LOW, HIGH, Unit.SHARE),
                // Nothing but a loss makes a sender's timer of 200 ms fire here.
                Claim.about(ID + "/timeouts", "No TFC flow waits for a time-out: data frames dropped", "about 0")
                        .atMost((double) drops, 0, Unit.NUMBER),
                Claim.about(
                                ID + "/tcp",
                                "TCP's throughput collapses with 50 senders or more: the least",
                                "dramatically")
                        .atMost(newReno, COLLAPSED, Unit.SHARE));
        List<Double> places = senders(scale).stream().map(Integer::doubleValue).toList();
        List<ChartSeries> series = new ArrayList<>();
        for (Variant variant : List.of(Testbed.TFC, Testbed.NEWRENO)) {
            series.add(new ChartSeries(
                    variant.word(),
                    places,
                    senders(scale).stream()
                            .map(senders -> use(results, variant, senders, scale))
                            .toList()));
        }
        Chart chart = new Chart(
                "Goodput", Chart.Kind.LINES, Axis.linear("senders"), Axis.linear("share of the link"), series);
        return new Findings(claims.stream().map(Claim::explained).toList(), List.of(chart), List.of());
    }
}
