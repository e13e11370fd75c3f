package io.weir.transport.sim;

import io.weir.transport.frame.Frame;

/**
 * Decides the fate of the frames that leave by one direction of a link: whether, when, how often and how intact
 * each arrives. A link has at most one; one without pays nothing for the possibility.
 */
@FunctionalInterface
public interface LinkFault {
    /**
     * Takes a frame whose last bit a healthy link would deliver at {@code arrivalNanos}. It is the fault's from here
     * on: to give to {@link Line#deliver}, now, or to release.
     */
    void onDeparture(Line line, Frame frame, long arrivalNanos, long nowNanos);

    /** The line whose frames a fault takes: where it gives them back. */
    interface Line {
        /** Takes a frame from the fault; it arrives at {@code atNanos}, which has not passed. */
        void deliver(Frame frame, long atNanos);
    }
}
