package io.weir.papers.expresspass;

import io.weir.papers.Extracts;
import io.weir.transport.scenario.result.FlowResult;
import io.weir.transport.scenario.result.PortResult;
import io.weir.transport.scenario.result.ScenarioResult;
import io.weir.transport.scenario.result.Summary;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What remains of a run of realistic traffic.
 *
 * @param times completion times by class of size
 * @param wasteFraction credits that found nothing to send, of those that reached senders
 * @param queueBytesMean the mean of all switch ports' data queues over the time in which flows arrive: what waits after
 *     the last arrival counts too, its time does not, so that a few long flows at the end of a short run do not thin
 *     the mean
 * @param queueBytesMax the most that waited at any port
 * @param dataDrops frames that full queues dropped
 */
record TreeResult(
        Map<String, Times> times, double wasteFraction, double queueBytesMean, double queueBytesMax, long dataDrops) {
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
        return new TreeResult(
                times,
                result.summary().creditWasteFraction(),
                queueBytesMean(result),
                Extracts.queueBytesMax(result),
                result.summary().dataDrops());
    }

    private static double queueBytesMean(ScenarioResult result) {
        double mean = result.ports().stream()
                .mapToDouble(PortResult::queueBytesMean)
                .average()
                .orElse(0);
        long lastStartNanos =
                result.flows().stream().mapToLong(FlowResult::startNanos).max().orElse(0);
        return lastStartNanos == 0 ? mean : mean * result.run().virtualNanos() / lastStartNanos;
    }
}
