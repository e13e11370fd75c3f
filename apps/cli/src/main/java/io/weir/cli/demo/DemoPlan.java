package io.weir.cli.demo;

import io.weir.transport.node.ConfigException;

/**
 * What the demonstration builds and how long it measures.
 *
 * @param bottleneckBps the rate of the link between the switches
 * @param hostBps the rate of the hosts' links
 * @param propagationNanos the propagation delay of a host's link; a round trip has four
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
        long transferBytes,
        long measureNanos,
        int flowCount,
        int joinCount,
        long seed) {
    /** A full-sized frame on the wire, with preamble and gap. */
    static final int DATA_WIRE_BYTES = 1538;

    private static final int HOPS_WITH_DELAY = 4;
    private static final int FLOW_COUNT_MAX = 256;
    private static final long MEASURE_NANOS_MIN = 100_000_000;
    private static final long MEASURE_NANOS_MAX = 60_000_000_000L;
    private static final int TRANSFER_BYTES_UNIT = 1 << 16;
    private static final long TRANSFER_BYTES_MAX = 4L << 30;

    DemoPlan {
        require(
                bottleneckBps <= hostBps,
                "--rate " + bottleneckBps + " bps is above --host-rate " + hostBps
                        + " bps, so that the link between the switches would be no bottleneck; lower it");
        require(
                transferBytes > 0 && transferBytes <= TRANSFER_BYTES_MAX && transferBytes % TRANSFER_BYTES_UNIT == 0,
                "--bytes " + transferBytes + " is not a multiple of 64KiB up to 4GiB; write it as in 128MiB");
        require(
                flowCount >= 1 && flowCount <= FLOW_COUNT_MAX,
                "--flows " + flowCount + " is outside 1.." + FLOW_COUNT_MAX);
        require(
                measureNanos >= MEASURE_NANOS_MIN && measureNanos <= MEASURE_NANOS_MAX,
                "--time " + measureNanos + " ns is outside 100ms..60s");
    }

    private static void require(boolean condition, String message) {
        if (!condition) {
            throw new ConfigException(message);
        }
    }

    /** {@return the propagation delay of a round trip} */
    long roundTripNanos() {
        return HOPS_WITH_DELAY * propagationNanos;
    }
}
