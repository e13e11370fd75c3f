package io.weir.papers.expresspass;

import io.weir.transport.scenario.result.ScenarioResult;
import io.weir.transport.scenario.result.Summary;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What remains of a run of realistic traffic.
 *
 * @param times completion times by class of size
 * @param dataDrops frames that full queues dropped
 */
record TreeResult(Map<String, Times> times, long dataDrops) {
    private static final Times NONE = new Times(0, 0, Double.NaN, Double.NaN);

    /**
     * The completion times of a class of size.
     *
     * @param flows how many there were
     * @param complete how many of them came to their end
     * @param meanNanos the mean of those
     * @param p99Nanos 99 % of those took no longer
     */
    record Times(long flows, long complete, double meanNanos, double p99Nanos) {
        /** {@return whether there were any, and all are in the mean} */
        boolean isWhole() {
            return flows > 0 && complete == flows;
        }
    }

    /** {@return the times of a class, of no flows if the workload has none of it} */
    Times of(String sizeClass) {
        return times.getOrDefault(sizeClass, NONE);
    }

    /** {@return flows of the classes up to L that had not come to their end} */
    long unfinished() {
        return TreeRuns.CLASSES.stream()
                .filter(sizeClass -> !sizeClass.equals("XL"))
                .mapToLong(sizeClass -> of(sizeClass).flows() - of(sizeClass).complete())
                .sum();
    }

    static TreeResult of(ScenarioResult result) {
        Map<String, Times> times = new LinkedHashMap<>();
        for (Summary.SizeClass found : result.summary().completionNanos()) {
            times.put(
                    found.name(),
                    new Times(
                            found.flows(),
                            found.completionNanos().count(),
                            found.completionNanos().mean(),
                            found.completionNanos().p99()));
        }
        return new TreeResult(times, result.summary().dataDrops());
    }
}
