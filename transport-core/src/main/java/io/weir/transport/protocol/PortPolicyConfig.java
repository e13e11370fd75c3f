package io.weir.transport.protocol;

import io.weir.pacer.SeededRandom;
import io.weir.transport.telemetry.Counters;

/** What a protocol asks of ports, from which each port makes its own instance. */
public interface PortPolicyConfig {
    /** {@return the policy of one port} */
    PortPolicy newPolicy(Port port);

    /**
     * The port that a policy is for.
     *
     * @param linkRateBps the rate at which its queue drains
     * @param mtuBytes the largest IP packet of the link
     * @param counters what the port counts
     * @param random what the policy's randomness follows from
     */
    record Port(long linkRateBps, int mtuBytes, Counters counters, SeededRandom random) {}
}
