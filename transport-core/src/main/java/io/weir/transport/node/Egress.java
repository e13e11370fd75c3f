package io.weir.transport.node;

import io.weir.transport.frame.Frame;

/**
 * What leaves a Node by one port. Transmission is pulled: the ring or the link says when there is room, so
 * back-pressure needs no other mechanism.
 */
public interface Egress {
    /** {@return the next frame that may leave now, owned by the caller from here on, or null when none may} */
    Frame pollTransmit(long nowNanos);

    /**
     * {@return when {@link #pollTransmit} may next give a frame, if nothing else happens: now, later or NO_DEADLINE}
     */
    long nextTransmitNanos(long nowNanos);
}
