package io.weir.bench.latency;

import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** The pairs of runs of one contest, and what they say: medians, and the median of the pairs' ratios. */
final class LatencyReport {
    private static final double NANOS_PER_MICROSECOND = 1e3;

    /**
     * One run of each side, one after the other.
     *
     * @param kernel what the kernel's side gave
     * @param weir what Weir's gave
     */
    record Pair(LatencyResult kernel, LatencyResult weir) {
        /** {@return Weir's median round trip as a share of the kernel's; below 1 is better than the kernel} */
        double ratio() {
            return (double) weir.p50Nanos() / kernel.p50Nanos();
        }

        double offCorePercent() {
            return Math.max(kernel.offCorePercent(), weir.offCorePercent());
        }
    }

    private final Contest contest;
    private final List<Pair> pairs;
    private final int pairsLeftOut;

    LatencyReport(Contest contest, List<Pair> pairs, int pairsLeftOut) {
        this.contest = contest;
        this.pairs = List.copyOf(pairs);
        this.pairsLeftOut = pairsLeftOut;
    }

    /** {@return Weir's median round trip as a share of the kernel's: the median over the pairs} */
    double ratio() {
        return median(Pair::ratio);
    }

    void print(PrintStream out) {
        double[] ratios = pairs.stream().mapToDouble(Pair::ratio).sorted().toArray();
        out.printf(
                "%-9s p50 Weir/kernel %.3f (%.3f..%.3f)   %d pairs, %d noisier left out%n",
                contest.label(), ratio(), ratios[0], ratios[ratios.length - 1], pairs.size(), pairsLeftOut);
        side(out, contest.kernel(), Pair::kernel);
        side(out, contest.weir(), Pair::weir);
    }

    private void side(PrintStream out, Contender contender, Function<Pair, LatencyResult> side) {
        out.printf(
                "          %-24s p50 %7.1f  p90 %7.1f  p99 %7.1f  p99.9 %8.1f us   off core %4.1f%%%n",
                contender.label(),
                micros(pair -> side.apply(pair).p50Nanos()),
                micros(pair -> side.apply(pair).p90Nanos()),
                micros(pair -> side.apply(pair).p99Nanos()),
                micros(pair -> side.apply(pair).p999Nanos()),
                median(pair -> side.apply(pair).offCorePercent()));
    }

    private double micros(ToDoubleFunction<Pair> nanos) {
        return median(nanos) / NANOS_PER_MICROSECOND;
    }

    private double median(ToDoubleFunction<Pair> value) {
        double[] sorted = pairs.stream().mapToDouble(value).toArray();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
