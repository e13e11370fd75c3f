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

/** Figure 19: completion times of realistic traffic, by workload, class of size and protocol. */
public final class FlowCompletion implements Figure {
    private static final String ID = "expresspass/fig19";
    private static final double MICROSECOND = 1_000;
    private static final int WORKLOADS_MIN = 3;

    private static final Variant DCTCP = Peers.dctcp(1);
    private static final Variant DCTCP_OF_RFC = Peers.dctcpOfRfc(1);
    private static final List<Variant> EXPRESSPASS = List.of(Variant.AUTHORS, Variant.WEIR);

    /** Everything that runs, in the order of the charts. */
    static final List<Variant> PROTOCOLS =
            List.of(Variant.AUTHORS, Variant.WEIR, Peers.rcp(), DCTCP, DCTCP_OF_RFC, Peers.dx(), Peers.hull(1));

    public FlowCompletion() {}

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String title() {
        return "Average and 99th percentile of completion times under realistic traffic";
    }

    @Override
    public Setting setting(Scale scale) {
        return TreeRuns.setting("alpha = w_init = 1/16 of ExpressPass (authors).", scale);
    }

    @Override
    public List<PaperRun<?>> runs(Scale scale) {
        List<PaperRun<?>> runs = new ArrayList<>();
        for (SizeWorkload workload : SizeWorkload.values()) {
            PROTOCOLS.forEach(protocol -> runs.add(TreeRuns.run(workload, protocol, scale)));
        }
        return runs;
    }

    @Override
    public Findings evaluate(RunResults results, Scale scale) {
        Found found = (workload, protocol) -> results.get(TreeRuns.run(workload, protocol, scale));
        List<Claim> claims = new ArrayList<>();
        for (Variant expressPass : EXPRESSPASS) {
            for (String sizeClass : List.of("S", "M")) {
                claims.addAll(shortFlows(found, expressPass, sizeClass));
            }
            claims.add(longFlows(found, expressPass));
        }
        claims.add(modernPeer(found));
        claims.add(TreeRuns.noDrops(ID, sum(EXPRESSPASS, found, TreeResult::dataDrops)));
        claims.add(TreeRuns.allComplete(ID, sum(PROTOCOLS, found, TreeResult::unfinished)));
        List<Chart> charts = new ArrayList<>();
        for (String sizeClass : TreeRuns.CLASSES) {
            charts.add(chart(found, sizeClass, "average", TreeResult.Times::meanNanos));
            charts.add(chart(found, sizeClass, "99th percentile", TreeResult.Times::p99Nanos));
        }
        return TreeRuns.findings(claims, charts, List.of(table(found)));
    }

    /** What a workload gave with a protocol. */
    @FunctionalInterface
    interface Found {
        TreeResult of(SizeWorkload workload, Variant protocol);
    }

    private static long sum(List<Variant> protocols, Found found, ToDoubleFunction<TreeResult> count) {
        double sum = 0;
        for (SizeWorkload workload : SizeWorkload.values()) {
            for (Variant protocol : protocols) {
                sum += count.applyAsDouble(found.of(workload, protocol));
            }
        }
        return (long) sum;
    }

    /** {@return how many times longer DCTCP takes, workload by workload; without those that have no such flows} */
    static List<Double> ratios(
            Found found,
            Variant dctcp,
            Variant expressPass,
            String sizeClass,
            ToDoubleFunction<TreeResult.Times> time) {
        List<Double> ratios = new ArrayList<>();
        for (SizeWorkload workload : SizeWorkload.values()) {
            TreeResult.Times own = found.of(workload, expressPass).of(sizeClass);
            TreeResult.Times others = found.of(workload, dctcp).of(sizeClass);
            if (own.isWhole() && others.isWhole()) {
                ratios.add(time.applyAsDouble(others) / time.applyAsDouble(own));
            }
        }
        return ratios;
    }

    private static List<Claim> shortFlows(Found found, Variant expressPass, String sizeClass) {
        List<Double> mean = ratios(found, DCTCP, expressPass, sizeClass, TreeResult.Times::meanNanos);
        List<Double> p99 = ratios(found, DCTCP, expressPass, sizeClass, TreeResult.Times::p99Nanos);
        long faster = mean.stream().filter(ratio -> ratio > 1).count();
        long wider = 0;
        for (int i = 0; i < mean.size(); i++) {
            wider += p99.get(i) > mean.get(i) ? 1 : 0;
        }
        String who = expressPass.name() + "-" + sizeClass;
        return List.of(
                Claim.about(
                                ID + "/" + who,
                                sizeClass + " flows of ExpressPass (" + expressPass.name()
                                        + ") are faster than DCTCP's on average; DCTCP takes so many times longer: "
                                        + print(mean),
                                "1.3 to 5.14 times")
                        .holds(
                                faster >= WORKLOADS_MIN,
                                "in " + faster + " of " + mean.size() + " workloads",
                                "in at least " + WORKLOADS_MIN,
                                Math.abs(faster - WORKLOADS_MIN) + " workloads"),
                Claim.about(
                                ID + "/" + who + "-tail",
                                sizeClass + " flows of ExpressPass (" + expressPass.name()
                                        + "): the gap is wider at the 99th percentile; DCTCP takes so many times longer: "
                                        + print(p99),
                                "larger than on average")
                        .holds(
                                wider >= WORKLOADS_MIN,
                                "in " + wider + " of " + mean.size() + " workloads",
                                "in at least " + WORKLOADS_MIN,
                                Math.abs(wider - WORKLOADS_MIN) + " workloads"));
    }

    private static Claim longFlows(Found found, Variant expressPass) {
        List<Double> ratios = new ArrayList<>(ratios(found, DCTCP, expressPass, "L", TreeResult.Times::meanNanos));
        ratios.addAll(ratios(found, DCTCP, expressPass, "XL", TreeResult.Times::meanNanos));
        double least = ratios.stream().mapToDouble(Double::doubleValue).min().orElse(Double.NaN);
        double most = ratios.stream().mapToDouble(Double::doubleValue).max().orElse(Double.NaN);
        boolean isMet = least >= 0.3 && most <= 3;
        return Claim.about(
                        ID + "/" + expressPass.name() + "-large",
                        "L and XL flows of ExpressPass (" + expressPass.name()
                                + ") are as fast as DCTCP's within a factor of 3",
                        "0.37 to 2.86 times DCTCP's speed")
                .holds(
                        isMet,
                        Unit.TIMES.print(least) + " to " + Unit.TIMES.print(most),
                        "0.3 to 3 times",
                        isMet ? "inside" : "outside");
    }

    private static Claim modernPeer(Found found) {
        StringBuilder text = new StringBuilder();
        for (Variant expressPass : EXPRESSPASS) {
            for (String sizeClass : TreeRuns.CLASSES) {
                text.append(text.isEmpty() ? "" : "; ")
                        .append(expressPass.name())
                        .append(' ')
                        .append(sizeClass)
                        .append(' ')
                        .append(print(
                                ratios(found, DCTCP_OF_RFC, expressPass, sizeClass, TreeResult.Times::meanNanos)));
            }
        }
        return Claim.about(
                        ID + "/dctcp-rfc",
                        "Against a DCTCP that begins with ten segments (RFC 6928) the average times are closer; times longer than"
                                + " ExpressPass's, workload by workload",
                        "not in the paper")
                .reported(text.toString());
    }

    private static String print(List<Double> ratios) {
        StringBuilder text = new StringBuilder();
        ratios.forEach(
                ratio -> text.append(text.isEmpty() ? "" : ", ").append(String.format(Locale.ROOT, "%.2f", ratio)));
        return text.toString();
    }

    private static Chart chart(Found found, String sizeClass, String what, ToDoubleFunction<TreeResult.Times> time) {
        List<SizeWorkload> workloads = new ArrayList<>();
        for (SizeWorkload workload : SizeWorkload.values()) {
            if (PROTOCOLS.stream()
                    .allMatch(protocol ->
                            found.of(workload, protocol).of(sizeClass).isWhole())) {
                workloads.add(workload);
            }
        }
        List<ChartSeries> series = new ArrayList<>();
        for (Variant protocol : PROTOCOLS) {
            series.add(ChartSeries.bars(
                    protocol.name(),
                    workloads.stream()
                            .map(workload -> time.applyAsDouble(
                                            found.of(workload, protocol).of(sizeClass))
                                    / MICROSECOND)
                            .toList()));
        }
        return new Chart(
                "Flows of class " + sizeClass + ", " + what,
                Chart.Kind.BARS,
                Axis.of("workload", workloads.stream().map(SizeWorkload::title).toList()),
                Axis.logarithmic("completion time (us)"),
                series);
    }

    private static Table table(Found found) {
        List<String> columns = new ArrayList<>(List.of("workload", "class", "flows"));
        PROTOCOLS.forEach(protocol -> columns.add(protocol.name()));
        List<List<String>> rows = new ArrayList<>();
        for (SizeWorkload workload : SizeWorkload.values()) {
            for (String sizeClass : TreeRuns.CLASSES) {
                List<String> row = new ArrayList<>(List.of(
                        workload.title(),
                        sizeClass,
                        Long.toString(found.of(workload, Variant.AUTHORS)
                                .of(sizeClass)
                                .flows())));
                for (Variant protocol : PROTOCOLS) {
                    TreeResult.Times times = found.of(workload, protocol).of(sizeClass);
                    row.add(
                            !times.isWhole()
                                    ? ""
                                    : Unit.NANOS.print(times.meanNanos()) + " / " + Unit.NANOS.print(times.p99Nanos()));
                }
                rows.add(row);
            }
        }
        return new Table("Completion times, average / 99th percentile", columns, rows);
    }
}
