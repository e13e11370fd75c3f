package io.weir.transport.scenario;

import io.weir.pacer.RateMath;
import io.weir.transport.node.ConfigException;

/**
 * A link between two Nodes, and the port at each end of it.
 *
 * @param left the Node at one end
 * @param right the Node at the other
 * @param rateBps the rate, in each direction
 * @param propagationNanos the propagation delay
 * @param mtuBytes the largest IP packet
 * @param leftPort what queues and meters what leaves {@code left} by this link
 * @param rightPort the same for {@code right}
 */
public record LinkSpec(
        String left,
        String right,
        long rateBps,
        long propagationNanos,
        int mtuBytes,
        PortSpec leftPort,
        PortSpec rightPort) {
    public LinkSpec {
        RateMath.requireRate("rateBps", rateBps);
        if (propagationNanos < 0) {
            throw new ConfigException("propagationNanos=" + propagationNanos + " must not be negative");
        }
    }
}
