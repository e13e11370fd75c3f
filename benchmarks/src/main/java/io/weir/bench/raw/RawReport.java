package io.weir.bench.raw;

import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/** Both sides' runs of one job, and what they say: medians, and the median of the pairs' ratios. */
final class RawReport {
    private static final double NANOS_PER_MICROSECOND = 1e3;

    private final Workload workload;
    private final int sizeBytes;
    private final List<RawResult> inC;
    private final List<RawResult> inJava;

    RawReport(Workload workload, int sizeBytes, List<RawResult> inC, List<RawResult> inJava) {
        this.workload = workload;
        this.sizeBytes = sizeBytes;
        this.inC = inC;
        this.inJava = inJava;
    }

    /** {@return what Java reaches of C: the median over the pairs; above 1 is better than C} */
    double ratio() {
        return median(ratios());
    }

    void print(PrintStream out) {
        double[] ratios = ratios();
        Arrays.sort(ratios);
        String spread = String.format("ratio %.3f (%.3f..%.3f)", median(ratios), ratios[0], ratios[ratios.length - 1]);
        if (inJava.get(0).isRoundTrips()) {
            out.printf(
                    "%-9s %5d B   C p50 %.1f p99 %.1f p99.9 %.1f us   Java p50 %.1f p99 %.1f p99.9 %.1f us   %s%n",
                    workload.label(),
                    sizeBytes,
                    micros(inC, RawResult::p50Nanos),
                    micros(inC, RawResult::p99Nanos),
                    micros(inC, RawResult::p999Nanos),
                    micros(inJava, RawResult::p50Nanos),
                    micros(inJava, RawResult::p99Nanos),
                    micros(inJava, RawResult::p999Nanos),
                    spread);
            return;
        }
        out.printf(
                "%-9s %5d B   C %.3f Mpps %.4f calls/frame %.1f%% off core   Java %.3f Mpps %.4f calls/frame"
                        + " %.1f%% off core   %s%n",
                workload.label(),
                sizeBytes,
                median(inC, RawResult::megaframesPerSecond),
                median(inC, RawResult::callsPerFrame),
                median(inC, RawResult::offCorePercent),
                median(inJava, RawResult::megaframesPerSecond),
                median(inJava, RawResult::callsPerFrame),
                median(inJava, RawResult::offCorePercent),
                spread);
    }

    private double[] ratios() {
        return IntStream.range(0, inC.size())
                .mapToDouble(i -> ratio(inC.get(i), inJava.get(i)))
                .toArray();
    }

    private static double ratio(RawResult c, RawResult java) {
        return java.isRoundTrips()
                ? (double) c.p50Nanos() / java.p50Nanos()
                : java.megaframesPerSecond() / c.megaframesPerSecond();
    }

    private static double micros(List<RawResult> results, ToDoubleFunction<RawResult> value) {
        return median(results, value) / NANOS_PER_MICROSECOND;
    }

    private static double median(List<RawResult> results, ToDoubleFunction<RawResult> value) {
        return median(results.stream().mapToDouble(value).toArray());
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
