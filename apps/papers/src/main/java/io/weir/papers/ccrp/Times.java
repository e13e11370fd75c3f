package io.weir.papers.ccrp;

import io.weir.transport.scenario.result.FlowResult;
import io.weir.transport.scenario.result.ScenarioResult;
import java.util.List;

/**
 * How long flows took.
 *
 * @param sortedNanos the times of those that came to their end, the shortest first
 * @param unfinished how many did not
 * @param dataDrops data frames dropped
 */
record Times(List<Double> sortedNanos, long unfinished, long dataDrops) {
    static Times of(ScenarioResult result) {
        List<Double> sorted = result.flows().stream()
                .filter(flow -> flow.completionNanos() != null)
                .map(flow -> (double) flow.completionNanos())
                .sorted()
                .toList();
        long unfinished = result.flows().stream()
                .map(FlowResult::completionNanos)
                .filter(nanos -> nanos == null)
                .count();
        return new Times(sorted, unfinished, result.summary().dataDrops());
    }

    /** {@return the times of several runs as if they were one} */
    static Times together(List<Times> runs) {
        return new Times(
                runs.stream()
                        .flatMap(run -> run.sortedNanos().stream())
                        .sorted()
                        .toList(),
                runs.stream().mapToLong(Times::unfinished).sum(),
                runs.stream().mapToLong(Times::dataDrops).sum());
    }

    /** {@return the time that this share of the flows did not exceed} */
    double percentile(double share) {
        int last = sortedNanos.size() - 1;
        return last < 0 ? Double.NaN : sortedNanos.get((int) Math.min(last, Math.floor(share * sortedNanos.size())));
    }
}
