package io.weir.papers.tfc;

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
import java.util.function.ToDoubleFunction;

/** Figure 13: queries and background flows on the testbed. */
public final class TestbedBenchmark implements Figure {
    private static final String ID = "tfc/fig13";
    private static final String FILE = "tfc/fig13-benchmark.yaml";
    private static final String BUSY = "50 %";
    private static final String QUIET = "10 %";
    private static final List<Integer> SEEDS = List.of(1, 2, 3, 4, 5);

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
                        + " few. At 50 % medians of five seeds: when flows come within a port's time window decides the tail. The paper does"
                        + " not print its load. Here it is 50 % of each host's link, since in the paper answers of 2 KB"
                        + " from eight hosts suffer time-outs, for which queues must be full without them; 10 % is what each"
                        + " server of the DCTCP paper's cluster has.");
    }

    private static PaperRun<BenchmarkTimes> run(Variant variant, String load, int seed, Scale scale) {
        boolean isQuick = scale == Scale.QUICK;
        return variant.run(
                FILE,
                load + ", seed " + seed,
                BenchmarkTimes::of,
                List.of(
                        "duration=" + (isQuick ? "2s" : "20s"),
                        "traffic[background].load=" + load.replace(" ", ""),
                        "traffic[background].until=" + (isQuick ? "1500ms" : "18s"),
                        "seed=" + seed));
    }

    @Override
    public List<PaperRun<?>> runs(Scale scale) {
        List<PaperRun<?>> runs = new ArrayList<>();
        for (String load : List.of(BUSY, QUIET)) {
            for (int seed : seeds(load)) {
                Testbed.ALL.forEach(variant -> runs.add(run(variant, load, seed, scale)));
            }
        }
        return runs;
    }

    private static List<Integer> seeds(String load) {
        return load.equals(BUSY) ? SEEDS : SEEDS.subList(0, 1);
    }

    private static BenchmarkTimes together(RunResults results, Variant variant, String load, Scale scale) {
        return BenchmarkTimes.together(seeds(load).stream()
                .map(seed -> results.get(run(variant, load, seed, scale)))
                .toList());
    }

    /** {@return the median over the seeds of a value of one protocol over that of another} */
    private static double ratio(
            RunResults results, Scale scale, Variant one, Variant other, ToDoubleFunction<BenchmarkTimes> value) {
        return ratio(results, scale, one, List.of(other), value);
    }

    /** {@return the median over the seeds of a value of one protocol over the least of others} */
    private static double ratio(
            RunResults results,
            Scale scale,
            Variant one,
            List<Variant> others,
            ToDoubleFunction<BenchmarkTimes> value) {
        return Statistics.median(SEEDS.stream()
                .map(seed -> value.applyAsDouble(results.get(run(one, BUSY, seed, scale)))
                        / others.stream()
                                .mapToDouble(other -> value.applyAsDouble(results.get(run(other, BUSY, seed, scale))))
                                .min()
                                .orElseThrow())
                .toList());
    }

    @Override
    public Findings evaluate(RunResults results, Scale scale) {
        ToDoubleFunction<BenchmarkTimes> mean = times -> times.queries().meanNanos();
        ToDoubleFunction<BenchmarkTimes> tail = times -> times.queries().p99Nanos();
        ToDoubleFunction<BenchmarkTimes> small = times -> times.small().meanNanos();
        ToDoubleFunction<BenchmarkTimes> large = times -> times.large().meanNanos();
        Variant tfc = Testbed.TFC;
        Variant dctcp = Testbed.DCTCP;
        Variant newReno = Testbed.NEWRENO;
        double overBest = ratio(results, scale, tfc, List.of(dctcp, newReno), small);
        List<Claim> claims = List.of(
                Claim.about(
                                ID + "/query-mean",
                                "Queries are faster with TFC than with DCTCP: mean over mean",
                                "below 1")
                        .atMost(ratio(results, scale, tfc, dctcp, mean), 1, Unit.TIMES),
                Claim.about(ID + "/query-tail", "The same at the 99th percentile", "below 1")
                        .atMost(ratio(results, scale, tfc, dctcp, tail), 1, Unit.TIMES),
                Claim.about(ID + "/tcp-mean", "and with DCTCP than with TCP: mean over mean", "below 1")
                        .atMost(ratio(results, scale, dctcp, newReno, mean), 1, Unit.TIMES),
                Claim.about(ID + "/tcp-tail", "The same at the 99th percentile", "below 1, TCP's time-outs")
                        .atMost(ratio(results, scale, dctcp, newReno, tail), 1, Unit.TIMES),
                Claim.about(
                                ID + "/small",
                                "Background flows below 10 KB are fastest with TFC: its mean over the best of the others",
                                "below 1")
                        .atMost(overBest, 1, Unit.TIMES),
                Claim.about(
                                ID + "/large",
                                "Larger ones take a little longer than with DCTCP: mean over mean",
                                "above 1")
                        .atLeast(ratio(results, scale, tfc, dctcp, large), 1, Unit.TIMES));
        return new Findings(
                claims.stream().map(Claim::explained).toList(),
                List.of(),
                List.of(
                        BenchmarkTimes.table("A load of 50 %", variant -> together(results, variant, BUSY, scale)),
                        BenchmarkTimes.table("A load of 10 %", variant -> together(results, variant, QUIET, scale))));
    }
}
