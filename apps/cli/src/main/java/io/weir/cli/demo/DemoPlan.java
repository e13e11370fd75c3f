package io.weir.cli.demo;

import io.weir.transport.node.ConfigException;

/**
 * What the demonstration builds and how long it measures.
 *
 * @param bottleneckBps the rate of the link between the switches
 * @param hostBps the rate of the hosts' links
 * @param propagationNanos the propagation delay of a host's link; a round trip has four
 * @param dataQueueBytes what each switch port's data queue holds
 * @param transferBytes the bytes of the transfer that is verified
 * @param measureNanos how long each measurement takes
 * @param flowCount flows of the fairness measurement
 * @param joinCount how often a second flow joins a first one
 * @param seed what the payload and the switches' random choices follow from
 */
record DemoPlan(
        long bottleneckBps,
        long hostBps,
        long propagationNanos,
        long dataQueueBytes,
        long transferBytes,
        long measureNanos,
        int flowCount,
        int joinCount,
        long seed) {
    static final int MTU_BYTES = 1500;
    /** A full-sized frame on the wire, with preamble and gap. */
    static final int DATA_WIRE_BYTES = 1538;

    private static final int HOPS_WITH_DELAY = 4;

    DemoPlan {
        if (bottleneckBps > hostBps) {
            throw new ConfigException("bottleneck rate " + bottleneckBps + " bps is above the hosts' " + hostBps
                    + " bps, so that it would be none; lower it");
        }
    }

    /** {@return the propagation delay of a round trip} */
    long roundTripNanos() {
        return HOPS_WITH_DELAY * propagationNanos;
    }
}
