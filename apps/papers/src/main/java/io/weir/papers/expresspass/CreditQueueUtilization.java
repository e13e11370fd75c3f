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
import io.weir.papers.Unit;
import io.weir.papers.Variant;
import io.weir.transport.scenario.result.ScenarioResult;
import java.util.ArrayList;
import java.util.List;

/** Figure 9: what a port loses of its link, by the length of the credit queue. */
public final class CreditQueueUtilization implements Figure {
    private static final String ID = "expresspass/fig9";
    private static final String FILE = "expresspass/fig09-credit-queue.yaml";
    private static final int ENOUGH = 8;
    private static final double MISSED_MIN = 0.001;
    private static final double LOST_MAX = 0.02;

    /** All credits are of 84 B, so that a queue of one holds one. */
    private static final Variant AUTHORS = new Variant(
            "authors", Variant.DATA_SHARE_PAPER, List.of("protocol={preset: authors, smallest: 84B, largest: 84B}"));

    private static final Variant WEIR = new Variant(
            "weir", 0.99 * Variant.DATA_SHARE_PAPER, List.of("protocol={preset: weir, smallest: 84B, largest: 84B}"));

    private static final Variant NAIVE = new Variant(
            "naive, tail drop",
            Variant.DATA_SHARE_PAPER,
            List.of("protocol={preset: naive, smallest: 84B, largest: 84B}"));

    private static final List<Variant> VARIANTS = List.of(AUTHORS, WEIR, NAIVE);

    public CreditQueueUtilization() {}

    /**
     * A point of the figure.
     *
     * @param flows how many share the port
     * @param queue how many credits its queue holds
     */
    private record Point(int flows, int queue) {
        @Override
        public String toString() {
            return flows + " flows, queue " + queue;
        }
    }

    /**
     * What remains of a run.
     *
     * @param share of the link that data filled
     * @param dataDrops frames dropped
     */
    record Filled(double share, long dataDrops) {}

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String title() {
        return "Under-utilisation against the length of the credit queue";
    }

    @Override
    public Setting setting(Scale scale) {
        return new Setting(
                "2 to 32 flows from separate ports to one, 10 Gbps; credit queues of 1 to 32 credits; what is missing of the most data"
                        + " that fits next to credits.",
                scale == Scale.FULL
                        ? Setting.AS_IN_THE_PAPER
                        : "2, 8 and 32 flows, queues of 1, 4, 8 and 16, over 15 ms in place of 40.");
    }

    private static List<Integer> flows(Scale scale) {
        return scale == Scale.FULL ? List.of(2, 4, 8, 16, 32) : List.of(2, 8, 32);
    }

    private static List<Integer> queues(Scale scale) {
        return scale == Scale.FULL ? List.of(1, 2, 4, 8, 16, 32) : List.of(1, 4, 8, 16);
    }

    private static PaperRun<Filled> run(Variant variant, Point point, Scale scale) {
        List<String> settings = new ArrayList<>();
        settings.add("topology.hosts=" + (point.flows() + 1));
        String model = variant.equals(WEIR) ? "exact" : "authors";
        settings.add(
                "topology.credits={model: " + model + ", smallest: 84B, largest: 84B, queue: " + point.queue() + "}");
        if (scale == Scale.QUICK) {
            settings.add("duration=20ms");
            settings.add("measure.warmUp=5ms");
        }
        return variant.run(FILE, point.toString(), CreditQueueUtilization::filled, settings);
    }

    private static Filled filled(ScenarioResult result) {
        return new Filled(result.summary().utilization(), result.summary().dataDrops());
    }

    @Override
    public List<PaperRun<?>> runs(Scale scale) {
        List<PaperRun<?>> runs = new ArrayList<>();
        for (Variant variant : VARIANTS) {
            for (int flows : flows(scale)) {
                queues(scale).forEach(queue -> runs.add(run(variant, new Point(flows, queue), scale)));
            }
        }
        return runs;
    }

    @Override
    public Findings evaluate(RunResults results, Scale scale) {
        List<Claim> claims = new ArrayList<>();
        List<Chart> charts = new ArrayList<>();
        for (Variant variant : VARIANTS) {
            Curves curves = new Curves();
            for (int flows : flows(scale)) {
                for (int queue : queues(scale)) {
                    Filled filled = results.get(run(variant, new Point(flows, queue), scale));
                    curves.add("queue " + queue, flows, 100 * (1 - filled.share() / variant.dataShareMax()));
                }
            }
            charts.add(chart(variant, curves));
            double atOne = Statistics.max(curves.values("queue 1")) / 100;
            double enough = Statistics.max(curves.values("queue " + ENOUGH)) / 100;
            claims.addAll(claims(variant, atOne, enough));
        }
        long drops = runs(scale).stream()
                .mapToLong(run -> ((Filled) results.get(run)).dataDrops())
                .sum();
        claims.add(Extracts.noDrops(ID, drops));
        return new Findings(claims, charts, List.of());
    }

    private static List<Claim> claims(Variant variant, double atOne, double enough) {
        String id = ID + "/" + (variant.equals(NAIVE) ? "naive" : variant.name());
        Claim.Draft eight = Claim.about(
                id + "-8",
                "A queue of 8 credits is enough (" + variant.name()
                        + "): what is missing of the link, the most of all numbers of flows",
                "nothing visible");
        // Where a queue of one misses nothing either, there is nothing to compare: the claim does not hold.
        double ratio = atOne < MISSED_MIN ? Double.NaN : Math.max(0, enough) / atOne;
        return List.of(
                eight.atMost(enough, LOST_MAX, Unit.SHARE).explained(),
                Claim.about(
                                id + "-1",
                                "A queue of one is not (" + variant.name()
                                        + "): what a queue of 8 misses, of what one of 1 does",
                                "falls with the queue")
                        .atMost(ratio, 0.5, Unit.TIMES)
                        .explained());
    }

    private static Chart chart(Variant variant, Curves curves) {
        return new Chart(
                "Under-utilisation, " + variant.name(),
                Chart.Kind.LINES,
                Axis.logarithmic("flows"),
                Axis.linear("missing (% of the most data)"),
                curves.series());
    }
}
