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

    /** {@return a builder of a plan of the shortest measurements} */
    static Builder builder() {
        return new Builder();
    }

    /** Names each value. */
    static final class Builder {
        private long bottleneckBps = 1_000_000_000;
        private long hostBps = 10_000_000_000L;
        private long propagationNanos = 25_000;
        private long transferBytes = 1 << 16;
        private long measureNanos = 100_000_000;
        private int flowCount = 1;
        private int joinCount = 1;
        private long seed = 1;

        private Builder() {}

        /** Sets the rate of the link between the switches. */
        Builder bottleneckBps(long value) {
            bottleneckBps = value;
            return this;
        }

        /** Sets the rate of the hosts' links. */
        Builder hostBps(long value) {
            hostBps = value;
            return this;
        }

        /** Sets the propagation delay of a host's link. */
        Builder propagationNanos(long value) {
            propagationNanos = value;
            return this;
        }

        /** Sets the bytes of the verified transfer. */
        Builder transferBytes(long value) {
            transferBytes = value;
            return this;
        }

        /** Sets how long each measurement takes. */
        Builder measureNanos(long value) {
            measureNanos = value;
            return this;
        }

        /** Sets the flows of the fairness measurement. */
        Builder flowCount(int value) {
            flowCount = value;
            return this;
        }

        /** Sets how often a second flow joins. */
        Builder joinCount(int value) {
            joinCount = value;
            return this;
        }

        /** Sets the seed. */
        Builder seed(long value) {
            seed = value;
            return this;
        }

        /** {@return the plan} */
        DemoPlan build() {
            return new DemoPlan(
                    bottleneckBps, hostBps, propagationNanos, transferBytes, measureNanos, flowCount, joinCount, seed);
        }
    }
}
