package io.weir.cli.demo;

import io.weir.cli.fabric.QueueStats;

/**
 * What was measured of one transport.
 *
 * @param name what it is called
 * @param alone one flow alone
 * @param idle round trips of 64 B on an idle network
 * @param loaded the same beside one flow
 * @param loadedQueue the bottleneck's data queue meanwhile
 * @param fairness many flows
 * @param join a second flow that joins a first one
 * @param dataDrops data frames that the switches dropped in all of these
 */
record SystemFigures(
        String name,
        Alone alone,
        Latencies idle,
        Latencies loaded,
        QueueStats loadedQueue,
        Fairness fairness,
        Join join,
        long dataDrops) {
    /**
     * One flow alone on the bottleneck.
     *
     * @param goodputBps the application's bits per second
     * @param linkShare the share of the link that its frames took
     * @param queue the bottleneck's data queue meanwhile
     */
    record Alone(double goodputBps, double linkShare, QueueStats queue) {}

    /**
     * Many flows.
     *
     * @param flowCount how many
     * @param goodputBps all flows' bits per second
     * @param jainIndex Jain's index of their goodputs
     * @param queue the bottleneck's data queue meanwhile
     */
    record Fairness(int flowCount, double goodputBps, double jainIndex, QueueStats queue) {}

    /**
     * How soon a second flow has its share: from its first byte until one half of the link, less a fifth, was its own over
     * four round trips.
     *
     * @param count how often a second flow joined
     * @param withinLimit how often it had its share while it was observed
     * @param medianRoundTrips the median time in round trips of propagation delay, or null if most had not
     */
    record Join(int count, int withinLimit, Double medianRoundTrips) {}
}
