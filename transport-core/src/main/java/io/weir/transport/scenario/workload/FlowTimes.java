package io.weir.transport.scenario.workload;

import io.weir.pacer.SeededRandom;
import io.weir.transport.node.ConfigException;
import io.weir.transport.scenario.Traffic;
import io.weir.transport.time.Deadline;

/** The times of the first, second, third ... flow of some traffic. */
final class FlowTimes {
    private final Traffic.Times times;
    private final SeededRandom random;
    private int index;

    FlowTimes(String id, Traffic.Times times, SeededRandom random) {
        if (times.atNanos() < 0 || times.everyNanos() < 0 || times.spreadNanos() < 0) {
            throw new ConfigException("traffic '" + id + "': " + times + " must not be negative");
        }
        this.times = times;
        this.random = random;
    }

    long next() {
        int flow = index++;
        if (times.atNanos() == Deadline.NO_DEADLINE) {
            return Deadline.NO_DEADLINE;
        }
        long spread = times.spreadNanos() == 0 ? 0 : random.nextLong(times.spreadNanos());
        return times.atNanos() + flow * times.everyNanos() + spread;
    }
}
