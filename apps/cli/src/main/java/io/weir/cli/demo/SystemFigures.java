package io.weir.cli.demo;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.weir.cli.lab.QueueStats;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What was measured of one transport. What was not, because the demonstration ended before, is null.
 *
 * @param name what it is called
 * @param alone one flow alone
 * @param idle round trips of 64 B on an idle network
 * @param loaded the same next to one flow
 * @param loadedQueue the bottleneck's data queue meanwhile
 * @param fairness many flows
 * @param join a second flow that joins a first one
 * @param dataDrops data frames that the switches dropped in all of these
 * @param pauses loops off their cores in all of these
 */
record SystemFigures(
        String name,
        Alone alone,
        Latencies idle,
        Latencies loaded,
        QueueStats loadedQueue,
        Fairness fairness,
        Joins join,
        long dataDrops,
        DemoPauses pauses) {
    /** {@return why figures are not to be judged, by their place in documents} */
    @JsonProperty
    Map<String, String> notJudged() {
        Map<String, String> reasons = new LinkedHashMap<>();
        Preconditions.broken(this).forEach((figure, reason) -> reasons.put(figure.path(), reason));
        return reasons;
    }

    /**
     * One flow alone on the bottleneck.
     *
     * @param goodputBps the application's bits per second
     * @param linkShare the share of the link that its frames took
     * @param queue the bottleneck's data queue meanwhile
     * @param pauses loops off their cores meanwhile
     */
    record Alone(double goodputBps, double linkShare, QueueStats queue, DemoPauses pauses) {}

    /**
     * Many flows.
     *
     * @param flowCount how many
     * @param goodputBps all flows' bits per second
     * @param jainIndex Jain's index of their goodputs, or null if nothing moved
     * @param queue the bottleneck's data queue meanwhile
     * @param pauses loops off their cores meanwhile
     */
    record Fairness(int flowCount, double goodputBps, Double jainIndex, QueueStats queue, DemoPauses pauses) {}
}
