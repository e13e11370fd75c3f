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
import io.weir.transport.scenario.result.FlowResult;
import io.weir.transport.scenario.result.ScenarioResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Figure 17: completion times when every task sends to every other at once. */
public final class Shuffle implements Figure {
    private static final String ID = "expresspass/fig17";
    private static final String FILE = "expresspass/fig17-shuffle.yaml";
    private static final double MILLISECOND = 1e6;
    private static final int CDF_POINTS = 200;
    private static final Variant DCTCP = Peers.dctcp(1);
    private static final Variant DCTCP_OF_RFC = Peers.dctcpOfRfc(1);
    private static final List<Variant> EXPRESSPASS = List.of(Variant.AUTHORS, Variant.WEIR);
    private static final List<Variant> PROTOCOLS = List.of(Variant.AUTHORS, Variant.WEIR, DCTCP, DCTCP_OF_RFC);

    public Shuffle() {}

    /**
     * What remains of a run.
     *
     * @param nanosByPermille the completion times that 0, 5, 10 ... 1000 thousandths of the flows do not exceed
     * @param p99Nanos that of 99 %
     * @param unfinished flows that did not come to their end
     * @param dataDrops frames dropped
     */
    record Times(List<Double> nanosByPermille, double p99Nanos, long unfinished, long dataDrops) {
        double median() {
            return nanosByPermille.get(CDF_POINTS / 2);
        }

        double max() {
            return nanosByPermille.get(CDF_POINTS);
        }
    }

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String title() {
        return "Completion times of a shuffle";
    }

    @Override
    public Setting setting(Scale scale) {
        return new Setting(
                "40 hosts at one switch, 10 Gbps, 4 us a link (which the paper does not say); 8 tasks on each host, each of which sends"
                        + " 1 MB to each task of the other hosts, all within 1 ms. DCTCP as in the authors' scripts: K = 65 frames,"
                        + " g = 1/16, two segments first, time-outs of 200 ms or more; dctcp-rfc has them at 2 ms.",
                scale == Scale.FULL
                        ? Setting.AS_IN_THE_PAPER
                        : "2 tasks on each host, which send 250 KB: each host sends and receives 156 flows at once, not 2,496."
                                + " Two segments of each are still more than a port's queue of 250 frames, and a time-out is still"
                                + " longer than a transfer: what makes DCTCP's tail is there.");
    }

    @Override
    public List<PaperRun<?>> runs(Scale scale) {
        List<PaperRun<?>> runs = new ArrayList<>();
        PROTOCOLS.forEach(protocol -> runs.add(run(protocol, scale)));
        return runs;
    }

    private static PaperRun<Times> run(Variant variant, Scale scale) {
        List<String> settings = scale == Scale.FULL
                ? List.of("duration=60s")
                : List.of("traffic[0].tasksPerHost=2", "traffic[0].size=250KB");
        return variant.run(FILE, "", Shuffle::times, settings);
    }

    private static Times times(ScenarioResult result) {
        double[] sorted = result.flows().stream()
                .map(FlowResult::completionNanos)
                .filter(Objects::nonNull)
                .mapToDouble(Long::doubleValue)
                .sorted()
                .toArray();
        List<Double> nanos = new ArrayList<>();
        for (int i = 0; i <= CDF_POINTS; i++) {
            nanos.add(
                    sorted.length == 0
                            ? Double.NaN
                            : sorted[Math.max(0, (int) Math.ceil((double) i * sorted.length / CDF_POINTS) - 1)]);
        }
        return new Times(
                nanos,
                sorted.length == 0 ? Double.NaN : sorted[(int) Math.ceil(0.99 * sorted.length) - 1],
                result.flows().size() - sorted.length,
                result.summary().dataDrops());
    }

    @Override
    public Findings evaluate(RunResults results, Scale scale) {
        Times dctcp = results.get(run(DCTCP, scale));
        List<Claim> claims = new ArrayList<>();
        long drops = 0;
        long unfinished = 0;
        for (Variant protocol : PROTOCOLS) {
            unfinished += results.get(run(protocol, scale)).unfinished();
        }
        for (Variant expressPass : EXPRESSPASS) {
            Times own = results.get(run(expressPass, scale));
            claims.addAll(compared(expressPass.name(), own, dctcp));
            drops += own.dataDrops();
        }
        Times modern = results.get(run(DCTCP_OF_RFC, scale));
        Times own = results.get(run(Variant.AUTHORS, scale));
        claims.add(Claim.about(
                        ID + "/dctcp-rfc",
                        "The same against a DCTCP with time-outs of 2 ms: median EP/DCTCP, 99th percentile and maximum DCTCP/EP",
                        "not in the paper")
                .reported(Unit.TIMES.print(own.median() / modern.median()) + ", "
                        + Unit.TIMES.print(modern.p99Nanos() / own.p99Nanos()) + ", "
                        + Unit.TIMES.print(modern.max() / own.max())));
        claims.add(TreeRuns.noDrops(ID, drops));
        claims.add(TreeRuns.allComplete(ID, unfinished));
        return TreeRuns.findings(claims, List.of(chart(results, scale)), List.of(table(results, scale)));
    }

    /** {@return the three claims about a kind of ExpressPass against DCTCP} */
    static List<Claim> compared(String preset, Times own, Times dctcp) {
        return List.of(
                Claim.about(
                                ID + "/" + preset + "-median",
                                "The median of ExpressPass (" + preset + ") is little more than DCTCP's",
                                "1.1 times: 2.2 and 2.0 s")
                        .within(own.median() / dctcp.median(), 1, 1.25, Unit.TIMES),
                Claim.about(
                                ID + "/" + preset + "-p99",
                                "DCTCP's 99th percentile is longer than ExpressPass's (" + preset + ")",
                                "1.51 times")
                        .atLeast(dctcp.p99Nanos() / own.p99Nanos(), 1.2, Unit.TIMES),
                Claim.about(
                                ID + "/" + preset + "-max",
                                "DCTCP's slowest flow takes longer than ExpressPass's (" + preset + ")",
                                "6.65 times")
                        .atLeast(dctcp.max() / own.max(), 2, Unit.TIMES));
    }

    private static Chart chart(RunResults results, Scale scale) {
        List<Double> shares = new ArrayList<>();
        for (int i = 0; i <= CDF_POINTS; i++) {
            shares.add((double) i / CDF_POINTS);
        }
        List<ChartSeries> series = PROTOCOLS.stream()
                .map(protocol -> new ChartSeries(
                        protocol.name(),
                        results.get(run(protocol, scale)).nanosByPermille().stream()
                                .map(nanos -> nanos / MILLISECOND)
                                .toList(),
                        shares))
                .toList();
        return new Chart(
                "Completion times of a shuffle",
                Chart.Kind.CURVES,
                Axis.logarithmic("completion time (ms)"),
                Axis.linear("share of the flows"),
                series);
    }

    private static Table table(RunResults results, Scale scale) {
        List<List<String>> rows = new ArrayList<>();
        for (Variant protocol : PROTOCOLS) {
            Times times = results.get(run(protocol, scale));
            rows.add(List.of(
                    protocol.name(),
                    Unit.NANOS.print(times.median()),
                    Unit.NANOS.print(times.p99Nanos()),
                    Unit.NANOS.print(times.max()),
                    Long.toString(times.dataDrops())));
        }
        return new Table("Completion times", List.of("protocol", "median", "p99", "max", "data drops"), rows);
    }
}
