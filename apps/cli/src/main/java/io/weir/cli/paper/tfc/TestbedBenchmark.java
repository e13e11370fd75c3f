package io.weir.cli.paper.tfc;

import io.weir.cli.paper.Claim;
import io.weir.cli.paper.Figure;
import io.weir.cli.paper.Findings;
import io.weir.cli.paper.PaperRun;
import io.weir.cli.paper.RunResults;
import io.weir.cli.paper.Scale;
import io.weir.cli.paper.Setting;
import io.weir.cli.paper.Unit;
import io.weir.cli.paper.Variant;
import java.util.ArrayList;
import java.util.List;

/** Figure 13: queries and background flows on the testbed. */
public final class TestbedBenchmark implements Figure {
    private static final String ID = "tfc/fig13";
    private static final String FILE = "tfc/fig13-benchmark.yaml";
    private static final String BUSY = "50 %";
    private static final String QUIET = "10 %";

    /** Creates the figure. */
    public TestbedBenchmark() {}

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String title() {
        return "Completion times of queries and background flows on the testbed";
    }

    @Override
    public Setting setting(Scale scale) {
        return Testbed.setting(
                scale,
                "Queries of 2 s, background flows of the first 1.5 s; all protocols have the same flows at the same times, so that order needs"
                        + " few. The paper does not print its load. Here it is 50 % of each host's link, since in the paper answers of 2 KB"
                        + " from eight hosts suffer time-outs, for which queues must be full without them; 10 %, beside it, is what each"
                        + " server of the DCTCP paper's cluster has.");
    }

    private static PaperRun<BenchmarkTimes> run(Variant variant, String load, Scale scale) {
        boolean isQuick = scale == Scale.QUICK;
        return variant.run(
                FILE,
                load,
                BenchmarkTimes::of,
                List.of(
                        "duration=" + (isQuick ? "2s" : "60s"),
                        "traffic[background].load=" + load.replace(" ", ""),
                        "traffic[background].until=" + (isQuick ? "1500ms" : "58s")));
    }

    @Override
    public List<PaperRun<?>> runs(Scale scale) {
        List<PaperRun<?>> runs = new ArrayList<>();
        for (String load : List.of(BUSY, QUIET)) {
            Testbed.ALL.forEach(variant -> runs.add(run(variant, load, scale)));
        }
        return runs;
    }

    @Override
    public Findings evaluate(RunResults results, Scale scale) {
        BenchmarkTimes tfc = results.get(run(Testbed.TFC, BUSY, scale));
        BenchmarkTimes dctcp = results.get(run(Testbed.DCTCP, BUSY, scale));
        BenchmarkTimes newReno = results.get(run(Testbed.NEWRENO, BUSY, scale));
        double small = Math.min(dctcp.small().meanNanos(), newReno.small().meanNanos());
        List<Claim> claims = List.of(
                Claim.about(
                                ID + "/query-mean",
                                "Queries are faster with TFC than with DCTCP: mean over mean",
                                "below 1")
                        .atMost(tfc.queries().meanNanos() / dctcp.queries().meanNanos(), 1, Unit.TIMES),
                Claim.about(ID + "/query-tail", "The same at the 99th percentile", "below 1")
                        .atMost(tfc.queries().p99Nanos() / dctcp.queries().p99Nanos(), 1, Unit.TIMES),
                Claim.about(ID + "/tcp-mean", "and with DCTCP than with TCP: mean over mean", "below 1")
                        .atMost(dctcp.queries().meanNanos() / newReno.queries().meanNanos(), 1, Unit.TIMES),
                Claim.about(ID + "/tcp-tail", "The same at the 99th percentile", "below 1, TCP's time-outs")
                        .atMost(dctcp.queries().p99Nanos() / newReno.queries().p99Nanos(), 1, Unit.TIMES),
                Claim.about(
                                ID + "/small",
                                "Background flows below 10 KB are fastest with TFC: its mean over the best of the others",
                                "below 1")
                        .atMost(tfc.small().meanNanos() / small, 1, Unit.TIMES),
                Claim.about(
                                ID + "/large",
                                "Larger ones take a little longer than with DCTCP: mean over mean",
                                "above 1")
                        .atLeast(tfc.large().meanNanos() / dctcp.large().meanNanos(), 1, Unit.TIMES));
        return new Findings(
                claims.stream().map(Claim::explained).toList(),
                List.of(),
                List.of(
                        BenchmarkTimes.table("A load of 50 %", variant -> results.get(run(variant, BUSY, scale))),
                        BenchmarkTimes.table("A load of 10 %", variant -> results.get(run(variant, QUIET, scale)))));
    }
}
