package io.weir.cli.demo;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.weir.transport.runtime.CycleMonitor;
import io.weir.transport.runtime.PauseCounts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How the loops that carried a measurement were off their cores during it.
 *
 * @param nanos how long the measurement took
 * @param hosts the hosts' loops, or nothing where the kernel's TCP plays the hosts: nobody watches its threads
 * @param switches the loop of both switches
 */
record DemoPauses(long nanos, List<Loop> hosts, Loop switches) {
    DemoPauses {
        hosts = List.copyOf(hosts);
    }

    /**
     * {@return the share of the time in which some loop was off its core, at most} One thread runs both hosts' loops,
     * so that they pause together; the switches' loop has another thread, whose pauses may fall between.
     */
    @JsonProperty
    double offCoreFraction() {
        double hostsFraction =
                hosts.stream().mapToDouble(Loop::offCoreFraction).max().orElse(0);
        return Math.min(1, hostsFraction + switches.offCoreFraction());
    }

    /** {@return pauses of both threads} */
    long count() {
        return hosts.stream().mapToLong(Loop::count).max().orElse(0) + switches.count();
    }

    /** {@return how long some loop was off its core, at most} */
    double offCoreNanos() {
        return offCoreFraction() * nanos;
    }

    /**
     * How often and how long a loop was off its core: it did not run for 100 us or more although it had not chosen to
     * sleep.
     *
     * @param loop which loop
     * @param count how often
     * @param offCoreFraction the share of the time
     * @param meanNanos the mean length of a pause, or null if there was none
     * @param p50Nanos the median length, or null likewise
     * @param p99Nanos the 99th percentile, or null likewise
     * @param longestNanos the longest, or null likewise
     */
    record Loop(
            String loop,
            long count,
            double offCoreFraction,
            Long meanNanos,
            Long p50Nanos,
            Long p99Nanos,
            Long longestNanos) {
        /**
         * {@return a loop's pauses}
         *
         * @param pauses those between two readings of its monitor
         * @param nanos the time between the readings
         */
        static Loop of(String loop, PauseCounts pauses, long nanos) {
            // A pause counts as a whole when it ends, though it may have begun before the first reading.
            double fraction = nanos == 0 ? 0 : Math.min(1, (double) pauses.totalNanos() / nanos);
            long count = pauses.count();
            return count == 0
                    ? new Loop(loop, 0, fraction, null, null, null, null)
                    : new Loop(
                            loop,
                            count,
                            fraction,
                            pauses.totalNanos() / count,
                            pauses.percentileNanos(50),
                            pauses.percentileNanos(99),
                            pauses.longestNanos());
        }
    }

    /** Watches loops from its creation on: the one place where the counts of a {@link CycleMonitor} become pauses. */
    static final class Watch {
        private final Map<String, CycleMonitor> hosts;
        private final CycleMonitor switches;
        private final Map<CycleMonitor, PauseCounts> before = new HashMap<>();
        private final long startNanos = System.nanoTime();

        /**
         * Starts to watch.
         *
         * @param hosts the loops of the hosts, by name
         * @param switches the loop of the switches
         */
        Watch(Map<String, CycleMonitor> hosts, CycleMonitor switches) {
            this.hosts = hosts;
            this.switches = switches;
            hosts.values().forEach(host -> before.put(host, host.pauses()));
            before.put(switches, switches.pauses());
        }

        /** {@return the pauses since the start} */
        DemoPauses pauses() {
            long nanos = System.nanoTime() - startNanos;
            List<Loop> ofHosts = new ArrayList<>();
            hosts.forEach((name, host) -> ofHosts.add(pauses(name, host, nanos)));
            return new DemoPauses(nanos, ofHosts, pauses("switches", switches, nanos));
        }

        private Loop pauses(String name, CycleMonitor monitor, long nanos) {
            return Loop.of(name, monitor.pauses().since(before.get(monitor)), nanos);
        }
    }
}
