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
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** Table 3: how much waits in data queues, on average and at most, by workload, load and protocol. */
public final class QueueOccupancy implements Figure {
    private static final String ID = "expresspass/table3";
    private static final double KILO = 1_000;
    private static final List<Double> LOADS = List.of(0.2, 0.4, TreeRuns.LOAD);
    private static final double LIGHT = 0.2;
    private static final double MEAN_MAX = 1_000;
    private static final double MAX_MAX = 60_000;
    private static final double BUFFER_BYTES = 384_500;
    private static final double FRAME_BYTES = 1_538;
    private static final Variant DCTCP = Peers.dctcp(1);
    private static final Variant RCP = Peers.rcp();
    private static final List<Variant> EXPRESSPASS = List.of(Variant.AUTHORS, Variant.WEIR);
    private static final List<Variant> PROTOCOLS =
            List.of(Variant.AUTHORS, Variant.WEIR, RCP, DCTCP, Peers.dx(), Peers.hull(1));

    /** Creates the table. */
    public QueueOccupancy() {}

    /** What a cell of the table was made of. */
    @FunctionalInterface
    private interface Found {
        TreeResult of(Workload workload, double load, Variant protocol);
    }

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String title() {
        return "Average and largest data queues under realistic traffic";
    }

    @Override
    public Setting setting(Scale scale) {
        return TreeRuns.setting(
                "Loads of 0.2, 0.4 and 0.6. The average is that of all switch ports, over the time in which flows arrive.",
                scale);
    }

    @Override
    public List<PaperRun<?>> runs(Scale scale) {
        List<PaperRun<?>> runs = new ArrayList<>();
        for (Workload workload : Workload.values()) {
            for (double load : LOADS) {
                PROTOCOLS.forEach(protocol -> runs.add(TreeRuns.run(workload, protocol, load, scale)));
            }
        }
        return runs;
    }

    @Override
    public Findings evaluate(RunResults results, Scale scale) {
        Found found = (workload, load, protocol) -> results.get(TreeRuns.run(workload, protocol, load, scale));
        List<Claim> claims = new ArrayList<>();
        for (Variant expressPass : EXPRESSPASS) {
            claims.addAll(small(found, expressPass));
        }
        double least = Double.POSITIVE_INFINITY;
        for (Workload workload : Workload.values()) {
            least = Math.min(
                    least,
                    found.of(workload, TreeRuns.LOAD, DCTCP).queueBytesMean()
                            / found.of(workload, TreeRuns.LOAD, Variant.AUTHORS).queueBytesMean());
        }
        claims.add(Claim.about(
                        ID + "/dctcp",
                        "DCTCP's average queue is a multiple of ExpressPass's (authors) at 0.6; the least of the workloads",
                        "6.8 to 19.9 times")
                .atLeast(least, 3, Unit.TIMES));
        claims.add(Claim.about(
                        ID + "/rcp",
                        "RCP fills the whole queue of some port; the least of the cells",
                        "375.3 KB always")
                .atLeast(least(found, RCP, TreeResult::queueBytesMax), BUFFER_BYTES - FRAME_BYTES, Unit.BYTES));
        claims.add(TreeRuns.noDrops(ID, drops(found)));
        return TreeRuns.findings(
                claims,
                List.of(chart(found)),
                List.of(
                        table(found, "Average queue (KB)", TreeResult::queueBytesMean),
                        table(found, "Largest queue (KB)", TreeResult::queueBytesMax)));
    }

    private static List<Claim> small(Found found, Variant expressPass) {
        String word = expressPass.word();
        double steepest = 0;
        for (Workload workload : Workload.values()) {
            steepest = Math.max(
                    steepest,
                    found.of(workload, TreeRuns.LOAD, expressPass).queueBytesMax()
                            / found.of(workload, LIGHT, expressPass).queueBytesMax());
        }
        return List.of(
                Claim.about(
                                ID + "/" + word + "-mean",
                                "ExpressPass (" + word + ") keeps queues empty on average; the largest of 12 cells",
                                "0.06 to 0.54 KB")
                        .atMost(most(found, expressPass, TreeResult::queueBytesMean), MEAN_MAX, Unit.BYTES),
                Claim.about(
                                ID + "/" + word + "-max",
                                "ExpressPass (" + word + ") bounds the largest queue; the largest of 12 cells",
                                "20.8 to 49.3 KB")
                        .atMost(most(found, expressPass, TreeResult::queueBytesMax), MAX_MAX, Unit.BYTES),
                Claim.about(
                                ID + "/" + word + "-load",
                                "ExpressPass's (" + word
                                        + ") largest queue does not grow with the load; at 0.6 over that at 0.2, the"
                                        + " most of the workloads",
                                "0.67 to 1.20 times")
                        .atMost(steepest, 1.5, Unit.TIMES));
    }

    private static double most(Found found, Variant protocol, ToDoubleFunction<TreeResult> value) {
        return cells(found, protocol).mapToDouble(value).max().orElse(Double.NaN);
    }

    private static double least(Found found, Variant protocol, ToDoubleFunction<TreeResult> value) {
        return cells(found, protocol).mapToDouble(value).min().orElse(Double.NaN);
    }

    private static Stream<TreeResult> cells(Found found, Variant protocol) {
        return Stream.of(Workload.values())
                .flatMap(workload -> LOADS.stream().map(load -> found.of(workload, load, protocol)));
    }

    private static long drops(Found found) {
        return EXPRESSPASS.stream()
                .flatMap(expressPass -> cells(found, expressPass))
                .mapToLong(TreeResult::dataDrops)
                .sum();
    }

    private static Chart chart(Found found) {
        List<String> cells = new ArrayList<>();
        for (Workload workload : Workload.values()) {
            LOADS.forEach(load -> cells.add(workload.title() + " " + load));
        }
        List<ChartSeries> series = PROTOCOLS.stream()
                .map(protocol -> ChartSeries.bars(
                        protocol.word(),
                        cells(found, protocol)
                                .map(result -> result.queueBytesMax() / KILO)
                                .toList()))
                .toList();
        return new Chart(
                "Largest data queue of any port",
                Chart.Kind.BARS,
                Axis.of("workload and load", cells),
                Axis.logarithmic("queue (KB)"),
                series);
    }

    private static Table table(Found found, String title, ToDoubleFunction<TreeResult> value) {
        List<String> columns = new ArrayList<>(List.of("workload", "load"));
        PROTOCOLS.forEach(protocol -> columns.add(protocol.word()));
        List<List<String>> rows = new ArrayList<>();
        for (Workload workload : Workload.values()) {
            for (double load : LOADS) {
                List<String> row = new ArrayList<>(List.of(workload.title(), Double.toString(load)));
                PROTOCOLS.forEach(protocol -> row.add(String.format(
                        Locale.ROOT, "%.2f", value.applyAsDouble(found.of(workload, load, protocol)) / KILO)));
                rows.add(row);
            }
        }
        return new Table(title, columns, rows);
    }
}
