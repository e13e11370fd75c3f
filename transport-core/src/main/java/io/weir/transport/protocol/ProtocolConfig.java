package io.weir.transport.protocol;

import io.weir.pacer.CreditShape;
import io.weir.pacer.SeededRandom;

/** The parameters of a protocol, from which each host makes its own instance. */
public interface ProtocolConfig {
    /** {@return which protocol this configures} */
    ProtocolId id();

    /** {@return the name under which results report these parameters} */
    String preset();

    /** {@return why it cannot run on real ports, or empty when it can} */
    default String realPortObstacle() {
        return "";
    }

    /** {@return whether its flows wait for their host's own credit meter, so that no credit is lost there} */
    default boolean waitsForMeter() {
        return false;
    }

    /**
     * {@return how the credits of its flows look to a link whose longest frame is {@code dataWireBytesMax}, or null if
     * it has no rule for them}
     */
    default CreditShape creditShape(int dataWireBytesMax) {
        return null;
    }

    /**
     * {@return the same for the hosts of one network alone: a protocol that knows the network as a whole begins again
     * with each, so that a run repeated finds the same}
     */
    default ProtocolConfig forOneNetwork() {
        return this;
    }

    /** {@return the protocol for one host; all its randomness follows from {@code random}} */
    ProtocolFactory newFactory(SeededRandom random);
}
