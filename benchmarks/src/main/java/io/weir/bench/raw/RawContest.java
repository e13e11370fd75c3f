package io.weir.bench.raw;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ExecutionException;

/**
 * Two sides that do the same job in turns: the reference and Java.
 *
 * @param reference the program that Java is measured by
 * @param java Weir's port
 * @param offCorePercentMax pairs in which somebody lost the core for longer are run again, a bounded number of times
 */
record RawContest(Side reference, Side java, double offCorePercentMax) {
    private static final int ATTEMPTS_PER_PAIR = 3;

    /** Does a job. */
    @FunctionalInterface
    interface Side {
        /** {@return what one run gave} */
        Run run() throws IOException, InterruptedException, ExecutionException;
    }

    /**
     * One side's run, and that of the program at the other end.
     *
     * @param result what the side gave
     * @param peer what the program at the other end gave
     */
    record Run(RawResult result, RawResult peer) {
        double offCorePercent() {
            return Math.max(result.offCorePercent(), peer.offCorePercent());
        }
    }

    /** {@return the report of so many pairs, those least disturbed} */
    RawReport measure(RawReport.Subject subject, int pairCount)
            throws IOException, InterruptedException, ExecutionException {
        List<RawPair> pairs = new ArrayList<>();
        int quiet = 0;
        for (int i = 0; quiet < pairCount && i < ATTEMPTS_PER_PAIR * pairCount; i++) {
            // C Java, Java C, C Java, ...: what drifts meanwhile favours neither.
            boolean isReferenceFirst = i % 2 == 0;
            Run first = (isReferenceFirst ? reference : java).run();
            Run second = (isReferenceFirst ? java : reference).run();
            Run ofReference = isReferenceFirst ? first : second;
            Run ofJava = isReferenceFirst ? second : first;
            double offCorePercent = Math.max(ofReference.offCorePercent(), ofJava.offCorePercent());
            pairs.add(new RawPair(ofReference.result(), ofJava.result(), offCorePercent));
            quiet += offCorePercent <= offCorePercentMax ? 1 : 0;
        }
        // Chosen by how much the machine disturbed them, not by what came out.
        pairs.sort(Comparator.comparingDouble(RawPair::offCorePercent));
        int used = Math.min(pairCount, pairs.size());
        return new RawReport(subject, pairs.subList(0, used), pairs.size() - used);
    }
}
