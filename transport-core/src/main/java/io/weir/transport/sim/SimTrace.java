package io.weir.transport.sim;

import io.weir.transport.frame.Frame;

/** Watches the frames of a simulation. It looks and owns nothing. */
@FunctionalInterface
public interface SimTrace {
    /** Watches nothing. */
    SimTrace NONE = (link, frame, nowNanos) -> {};

    /** The first bit of a frame leaves by {@code link}. */
    void onDeparture(SimLink link, Frame frame, long nowNanos);
}
