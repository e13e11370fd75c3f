package io.weir.cli.demo;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;

/**
 * How the loops that carried a measurement were off their cores during it.
 *
 * @param nanos how long the measurement took
 * @param hosts the hosts' loops, or nothing where the kernel's TCP plays the hosts: nobody watches its threads
 * @param switches the loop of both switches
 */
record DemoPauses(long nanos, List<LoopPauses> hosts, LoopPauses switches) {
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
                hosts.stream().mapToDouble(LoopPauses::offCoreFraction).max().orElse(0);
        return Math.min(1, hostsFraction + switches.offCoreFraction());
    }

    /** {@return pauses of both threads} */
    long count() {
        return hosts.stream().mapToLong(LoopPauses::count).max().orElse(0) + switches.count();
    }

    /** {@return how long some loop was off its core, at most} */
    double offCoreNanos() {
        return offCoreFraction() * nanos;
    }
}
