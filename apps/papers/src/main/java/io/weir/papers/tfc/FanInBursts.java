package io.weir.papers.tfc;

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
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Figure 12: incast at 1 Gbps. */
public final class FanInBursts implements Figure {
    private static final String ID = "tfc/fig12";
    static final String FILE = "tfc/fig12-incast.yaml";
    private static final List<Integer> QUICK = List.of(1, 2, 5, 8, 10, 15, 20, 40, 50, 60, 80, 100);
    private static final List<Integer> FULL = List.of(1, 2, 5, 8, 10, 12, 15, 20, 30, 40, 50, 60, 70, 80, 90, 100);
    private static final double LOW_BPS = 0.78e9;
    private static final double HIGH_BPS = 0.95e9;
    private static final double COLLAPSED_BPS = 0.5e9;

    public FanInBursts() {}

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String title() {
        return "Incast: goodput and queue by the number of senders";
    }

    @Override
    public Setting setting(Scale scale) {
        return Testbed.setting(
                scale,
                "3 rounds in place of 1000, each of up to 18,000 frames; each sender has a separate host. Time-outs of 200 ms"
                        + " or more, as those of the papers' Linux.");
    }

    private static List<Integer> senders(Scale scale) {
        return scale == Scale.QUICK ? QUICK : FULL;
    }

    private static PaperRun<IncastRounds> run(Variant variant, int senders, Scale scale) {
        return IncastRounds.run(FILE, variant, senders, scale == Scale.QUICK ? 3 : 1_000);
    }

    @Override
    public List<PaperRun<?>> runs(Scale scale) {
        List<PaperRun<?>> runs = new ArrayList<>();
        Testbed.ALL.forEach(variant -> senders(scale).forEach(senders -> runs.add(run(variant, senders, scale))));
        return runs;
    }

    @Override
    public Findings evaluate(RunResults results, Scale scale) {
        double least = Double.POSITIVE_INFINITY;
        double most = 0;
        long drops = 0;
        for (int senders : senders(scale)) {
            IncastRounds rounds = results.get(run(Testbed.TFC, senders, scale));
            drops += rounds.dataDrops();
            if (senders >= 2) {
                least = Math.min(least, rounds.goodputBps());
                most = Math.max(most, rounds.goodputBps());
            }
        }
        List<Claim> claims = List.of(
                Claim.about(ID + "/tfc-least", "TFC's goodput with 2 to 100 senders: the least", "800 to 900 Mbps")
                        .atLeast(least, LOW_BPS, Unit.BPS),
                Claim.about(ID + "/tfc-most", "TFC's goodput with 2 to 100 senders: the most", "800 to 900 Mbps")
                        .atMost(most, HIGH_BPS, Unit.BPS),
                Extracts.noDrops(ID, drops),
                Claim.about(ID + "/dctcp", "DCTCP collapses beyond some number of senders: the first", "more than 50")
                        .within(collapse(results, Testbed.DCTCP, scale), 40, 80, Unit.NUMBER),
                Claim.about(ID + "/tcp", "TCP collapses sooner: the first number of senders", "more than 10")
                        .within(collapse(results, Testbed.NEWRENO, scale), 8, 20, Unit.NUMBER));
        List<Chart> charts = List.of(
                chart(results, scale, "Goodput (Mbps)", rounds -> rounds.goodputBps() / 1e6),
                chart(results, scale, "Mean queue (KB)", rounds -> rounds.queueBytesMean() / 1e3),
                chart(results, scale, "Largest queue (KB)", rounds -> rounds.queueBytesMax() / 1e3));
        return new Findings(claims.stream().map(Claim::explained).toList(), charts, List.of());
    }

    /** {@return the least number of senders from which on goodput is always collapsed; NaN if there is none} */
    private static double collapse(RunResults results, Variant variant, Scale scale) {
        double first = Double.NaN;
        for (int senders : senders(scale)) {
            boolean isCollapsed = results.get(run(variant, senders, scale)).goodputBps() < COLLAPSED_BPS;
            first = !isCollapsed ? Double.NaN : Double.isNaN(first) ? senders : first;
        }
        return first;
    }

    private static Chart chart(RunResults results, Scale scale, String title, ToDoubleFunction<IncastRounds> value) {
        List<Double> places = senders(scale).stream().map(Integer::doubleValue).toList();
        List<ChartSeries> series = Testbed.ALL.stream()
                .map(variant -> new ChartSeries(
                        variant.name(),
                        places,
                        senders(scale).stream()
                                .map(senders -> value.applyAsDouble(results.get(run(variant, senders, scale))))
                                .toList()))
                .toList();
        return new Chart(title, Chart.Kind.LINES, Axis.linear("senders"), Axis.linear(title), series);
    }
}
