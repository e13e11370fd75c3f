package io.weir.transport.sim;

import io.weir.transport.frame.Frame;

/**
 * Decides what becomes of the frames that leave by one direction of a link: whether, when, how often and how intact each
 * arrives. A link has at most one; one without pays nothing for the possibility.
 */
@FunctionalInterface
public interface LinkFault {
    /**
     * Takes a frame whose last bit a healthy link would deliver at {@code arrivalNanos}. It is the fault's from here on: to
     * give to {@link SimLink#deliver}, now, or to release.
     */
    void onDeparture(SimLink link, Frame frame, long arrivalNanos, long nowNanos);
}
