package io.weir.papers.tfc;

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

/** Figure 16: queries that 359 servers answer at once, and background flows. */
public final class LargeBenchmark implements Figure {
    private static final String ID = "tfc/fig16";
    private static final String FILE = "tfc/fig16-benchmark-large.yaml";
    private static final List<Integer> SEEDS = List.of(1, 2, 3);
    private static final double DCTCP_MIN = 10;
    private static final double TCP_MIN = 3;

    /** Creates the figure. */
    public LargeBenchmark() {}

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String title() {
        return "Completion times of queries to 359 servers and background flows";
    }

    @Override
    public Setting setting(Scale scale) {
        String network =
                "18 leaves of 20 servers, 1 Gbps, one uplink of 10 Gbps each, 20 us a link; each query is answered by 359 servers with 2 KB."
                        + " Queues of 512 KB, as in Figure 15; background at 10 %, the load of the DCTCP paper's servers.";
        return new Setting(
                network,
                scale == Scale.FULL
                        ? "15 queries in three runs, background of 1 s in each; the paper does not say how many"
                        : "15 queries in three runs, 5,385 answers, and background of 120 ms in each: an answer's time is set by the other"
                                + " 358, of which each query has as many.");
    }

    private static List<PaperRun<BenchmarkTimes>> runs(Variant variant, Scale scale) {
        return SEEDS.stream()
                .map(seed -> {
                    List<String> settings = new ArrayList<>(List.of("seed=" + seed));
                    if (scale == Scale.FULL) {
                        settings.add("traffic[background].until=1s");
                    }
                    return variant.run(FILE, "seed " + seed, BenchmarkTimes::of, settings);
                })
                .toList();
    }

    @Override
    public List<PaperRun<?>> runs(Scale scale) {
        List<PaperRun<?>> runs = new ArrayList<>();
        Testbed.ALL.forEach(variant -> runs.addAll(runs(variant, scale)));
        return runs;
    }

    private static BenchmarkTimes times(RunResults results, Variant variant, Scale scale) {
        return BenchmarkTimes.together(
                runs(variant, scale).stream().map(results::get).toList());
    }

    @Override
    public Findings evaluate(RunResults results, Scale scale) {
        BenchmarkTimes tfc = times(results, Testbed.TFC, scale);
        BenchmarkTimes dctcp = times(results, Testbed.DCTCP, scale);
        BenchmarkTimes newReno = times(results, Testbed.NEWRENO, scale);
        List<Claim> claims = List.of(
                Claim.about(
                                ID + "/dctcp",
                                "A query's flow takes longer with DCTCP than with TFC: mean over mean",
                                "about 30 times")
                        .atLeast(dctcp.queries().meanNanos() / tfc.queries().meanNanos(), DCTCP_MIN, Unit.TIMES),
                Claim.about(ID + "/tcp", "and with TCP than with DCTCP: mean over mean", "about 8 times")
                        .atLeast(newReno.queries().meanNanos() / dctcp.queries().meanNanos(), TCP_MIN, Unit.TIMES),
                Claim.about(ID + "/tail", "TFC's tail is short: 99th percentile over mean", "\"quite small\"")
                        .reported(Unit.TIMES.print(
                                tfc.queries().p99Nanos() / tfc.queries().meanNanos())),
                Claim.about(
                                ID + "/background",
                                "Background flows of 10 KB and more: TFC's mean over DCTCP's",
                                "\"a little worse\"")
                        .reported(Unit.TIMES.print(
                                tfc.large().meanNanos() / dctcp.large().meanNanos())),
                Extracts.noDrops(ID, tfc.dataDrops()));
        return new Findings(
                claims.stream().map(Claim::explained).toList(),
                List.of(),
                List.of(BenchmarkTimes.table("18 x 20 servers", variant -> times(results, variant, scale))));
    }
}
