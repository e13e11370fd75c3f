package io.weir.bench.selector;

import com.sun.management.ThreadMXBean;
import io.weir.bench.command.Arguments;
import io.weir.transport.fallback.RuleException;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Locale;

/**
 * Measures what a ready key costs in a selector with many keys against one with one: a byte is written at the other
 * end, the selector finds its key, the byte is read. Runs with one key and with many take turns; each round gives
 * ratios, of the same key each time, and of all keys one after the other, which also pays for memory that no cache has.
 */
public final class SelectorBenchmark {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private SelectorBenchmark() {}

    /** What makes keys ready. */
    @FunctionalInterface
    private interface Work {
        void run(int trips) throws IOException;
    }

    /** Ratios of the rounds, in their order. */
    private static final class Ratios {
        private final double[] values;

        Ratios(int count) {
            values = new double[count];
        }

        void set(int round, double value) {
            values[round] = value;
        }

        double median() {
            return sorted()[values.length / 2];
        }

        private double[] sorted() {
            double[] sorted = values.clone();
            Arrays.sort(sorted);
            return sorted;
        }

        @Override
        public String toString() {
            double[] sorted = sorted();
            return String.format(Locale.ROOT, "%.2f (%.2f to %.2f)", median(), sorted[0], sorted[values.length - 1]);
        }
    }

    /** Measures; the exit status is 1 when {@code --require} is not met, 2 when the command line is wrong. */
    @SuppressWarnings("SystemOut")
    public static void main(String[] arguments) throws Exception {
        SelectorOptions options = Arguments.readOrExit(() -> SelectorOptions.parse(arguments), SelectorOptions.USAGE);
        double ratio = run(options, System.out);
        if (options.ratioMax() > 0 && ratio > options.ratioMax()) {
            System.out.printf(Locale.ROOT, "NOT MET: %.2f of %.2f%n", ratio, options.ratioMax());
            System.exit(1);
        }
    }

    /** {@return a ready key among many / one alone, the median} */
    static double run(SelectorOptions options, PrintStream out) throws IOException, RuleException {
        try (RegisteredKeys one = new RegisteredKeys(1);
                RegisteredKeys many = new RegisteredKeys(options.keys())) {
            Ratios same = new Ratios(options.rounds());
            Ratios inTurn = new Ratios(options.rounds());
            for (int round = -options.rounds(); round < options.rounds(); round++) {
                double alone = nanos(one::carryOverOne, options.trips());
                double among = nanos(many::carryOverOne, options.trips());
                double next = nanos(many::carryInTurn, options.trips());
                out.printf(
                        Locale.ROOT,
                        "%s a ready key: alone %,.0f ns, among %,d %,.0f ns, all in turn %,.0f ns%n",
                        round < 0 ? "warm" : "run ",
                        alone,
                        many.count(),
                        among,
                        next);
                if (round >= 0) {
                    same.set(round, among / alone);
                    inTurn.set(round, next / alone);
                }
            }
            out.printf(Locale.ROOT, "a ready key among %,d / alone: %s%n", many.count(), same);
            out.printf(Locale.ROOT, "all in turn / alone: %s%n", inTurn);
            return same.median();
        }
    }

    /** {@return the processor time of one} */
    private static double nanos(Work work, int trips) throws IOException {
        long beforeNanos = THREADS.getCurrentThreadCpuTime();
        work.run(trips);
        return (double) (THREADS.getCurrentThreadCpuTime() - beforeNanos) / trips;
    }
}
