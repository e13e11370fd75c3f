package io.weir.transport.scenario.topology;

import io.weir.transport.scenario.LinkSpec;
import io.weir.transport.scenario.PortSpec;

/**
 * What all links of a kind have in common.
 *
 * @param rateBps the rate, in each direction
 * @param propagationNanos the propagation delay
 * @param mtuBytes the largest IP packet
 * @param lowerPort the port of the Node nearer to the hosts, or of the left one
 * @param upperPort the port of the Node farther from them, or of the right one
 */
public record LinkTemplate(long rateBps, long propagationNanos, int mtuBytes, PortSpec lowerPort, PortSpec upperPort) {
    /** The MTU of Ethernet. */
    public static final int MTU_BYTES = 1500;

    /** Creates a template of links with Ethernet's MTU whose ports are of the default kind. */
    public LinkTemplate(long rateBps, long propagationNanos) {
        this(rateBps, propagationNanos, PortSpec.DEFAULT);
    }

    /** Creates a template of links with Ethernet's MTU and equal ports. */
    public LinkTemplate(long rateBps, long propagationNanos, PortSpec port) {
        this(rateBps, propagationNanos, MTU_BYTES, port, port);
    }

    /** {@return such links, longer by {@code nanos}} */
    public LinkTemplate longerBy(long nanos) {
        return new LinkTemplate(rateBps, propagationNanos + nanos, mtuBytes, lowerPort, upperPort);
    }

    /** {@return the link between these two Nodes} */
    public LinkSpec between(String lower, String upper) {
        return new LinkSpec(lower, upper, rateBps, propagationNanos, mtuBytes, lowerPort, upperPort);
    }
}
