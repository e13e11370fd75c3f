package io.weir.bench.raw;

import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** The pairs of runs of one job, and what they say: medians, and the median of the pairs' ratios. */
final class RawReport {
    private static final double NANOS_PER_MICROSECOND = 1e3;

    private final RawJob workload;
    private final int sizeBytes;
    private final List<RawPair> pairs;
    private final int pairsLeftOut;

    RawReport(RawJob workload, int sizeBytes, List<RawPair> pairs, int pairsLeftOut) {
        this.workload = workload;
        this.sizeBytes = sizeBytes;
        this.pairs = List.copyOf(pairs);
        this.pairsLeftOut = pairsLeftOut;
    }

    /** {@return what Java reaches of C: the median over the pairs; above 1 is better than C} */
    double ratio() {
        return median(RawPair::ratio);
    }

    void print(PrintStream out) {
        double[] ratios = pairs.stream().mapToDouble(RawPair::ratio).sorted().toArray();
        out.printf(
                "%-9s %5d B   C %s   Java %s   ratio %.3f (%.3f..%.3f)   off core %.1f%%, %d noisier pairs left out%n",
                workload.label(),
                sizeBytes,
                side(RawPair::inC),
                side(RawPair::inJava),
                ratio(),
                ratios[0],
                ratios[ratios.length - 1],
                median(RawPair::offCorePercent),
                pairsLeftOut);
    }

    private String side(Function<RawPair, RawResult> side) {
        if (workload == RawJob.PING) {
            return String.format(
                    "p50 %.1f p99 %.1f p99.9 %.1f us",
                    median(pair -> side.apply(pair).p50Nanos()) / NANOS_PER_MICROSECOND,
                    median(pair -> side.apply(pair).p99Nanos()) / NANOS_PER_MICROSECOND,
                    median(pair -> side.apply(pair).p999Nanos()) / NANOS_PER_MICROSECOND);
        }
        return String.format(
                "%.3f Mpps %.4f calls/frame",
                median(pair -> side.apply(pair).megaframesPerSecond()),
                median(pair -> side.apply(pair).callsPerFrame()));
    }

    private double median(ToDoubleFunction<RawPair> value) {
        double[] sorted = pairs.stream().mapToDouble(value).toArray();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
