package io.weir.bench.raw;

import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** The pairs of runs of one job, and what they say: medians, and the median of the pairs' ratios. */
final class RawReport {
    private static final double NANOS_PER_MICROSECOND = 1e3;

    private final Subject subject;
    private final List<RawPair> pairs;
    private final int pairsLeftOut;

    /**
     * What was measured.
     *
     * @param referenceName what Java was measured by
     * @param job what the report calls the job
     * @param hasRoundTrips whether round trips are measured, rather than a rate
     * @param sizeBytes the frames' size in memory
     */
    record Subject(String referenceName, String job, boolean hasRoundTrips, int sizeBytes) {
        static Subject inC(RawJob workload, int sizeBytes) {
            return new Subject("C", workload.label(), workload == RawJob.PING, sizeBytes);
        }
    }

    RawReport(Subject subject, List<RawPair> pairs, int pairsLeftOut) {
        this.subject = subject;
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
                "%-9s %5d B   %s %s   Java %s   ratio %.3f (%.3f..%.3f)   off core %.1f%%, %d noisier pairs left out%n",
                subject.job(),
                subject.sizeBytes(),
                subject.referenceName(),
                side(RawPair::inC),
                side(RawPair::inJava),
                ratio(),
                ratios[0],
                ratios[ratios.length - 1],
                median(RawPair::offCorePercent),
                pairsLeftOut);
    }

    private String side(Function<RawPair, RawResult> side) {
        if (subject.hasRoundTrips()) {
            return String.format(
                    "p50 %.1f p99 %.1f p99.9 %.1f us",
                    median(pair -> side.apply(pair).p50Nanos()) / NANOS_PER_MICROSECOND,
                    median(pair -> side.apply(pair).p99Nanos()) / NANOS_PER_MICROSECOND,
                    median(pair -> side.apply(pair).p999Nanos()) / NANOS_PER_MICROSECOND);
        }
        String rate = String.format("%.3f Mpps", median(pair -> side.apply(pair).megaframesPerSecond()));
        if (pairs.stream().anyMatch(pair -> side.apply(pair).calls() == RawResult.CALLS_NOT_COUNTED)) {
            return rate;
        }
        return String.format(
                "%s %.4f calls/frame", rate, median(pair -> side.apply(pair).callsPerFrame()));
    }

    private double median(ToDoubleFunction<RawPair> value) {
        double[] sorted = pairs.stream().mapToDouble(value).toArray();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
