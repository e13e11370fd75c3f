package io.weir.transport.node;

import io.weir.transport.frame.Frame;

/**
 * A network element without I/O: a host's stack or a switch. Its driver hands it frames and the time, and asks it for
 * frames to send and for its next deadline. The simulator and the real event loop drive the same objects.
 *
 * <p>All calls come from the thread that owns the Node; {@code nowNanos} never runs backwards.
 */
public interface Node {
    /** Takes a frame that came in by {@code portIndex}. The frame is the Node's from here on. */
    void onFrame(int portIndex, Frame frame, long nowNanos);

    /** Does what is due at {@code nowNanos}. A spurious call is harmless. */
    void onTimeout(long nowNanos);

    /** {@return the earliest time at which {@link #onTimeout} has something to do, or NO_DEADLINE} */
    long nextTimeoutNanos();

    /** {@return what leaves by port {@code portIndex}; the same object at every call} */
    Egress egress(int portIndex);

    /** {@return how many ports the Node has} */
    int portCount();

    /**
     * Says that the driver did not run the Node for {@code pauseNanos} although it should have: the thread lost its
     * core, or a host was stopped. What it finds in its rings may be as old as that.
     */
    void onPause(long pauseNanos, long nowNanos);

    /**
     * Says that the driver has found every ring of the Node empty since the latest pause. Until then frames that it
     * hands over may have waited for as long as the pause. Drivers call it after the frames, in the first cycle in
     * which no ring had more than was taken.
     */
    default void onCaughtUp(long nowNanos) {}

    /**
     * Tells when a frame left that bore a ticket. For Nodes that give tickets ({@link Frame#setTicket}), by ports whose
     * device stamps what it transmits; a ticket may be of a frame that nobody remembers.
     *
     * @param departedNanos when, by the driver's clock
     */
    default void onDeparted(int portIndex, long ticket, long departedNanos) {}

    /**
     * Says that all frames which a port took in this cycle have been handed to its device by {@code nowNanos}. Each
     * left between the time at which it was polled and this one. Drivers call it after frames were taken; one that
     * hands frames over in no time need not.
     */
    default void onFlushed(int portIndex, long nowNanos) {}

    /**
     * {@return whether flows react to the time that their frames take} A driver then hands frames over as they come,
     * also where batches would cost less.
     */
    default boolean measuresDelay() {
        return false;
    }

    /**
     * Asks to be told when a port has something to transmit earlier than its egress has said, because of a frame or
     * time-out just handled. A driver that looks at every port in every cycle need not ask.
     *
     * @return whether the Node will tell; otherwise the driver has to look at every port after every call
     */
    default boolean setEgressListener(EgressListener listener) {
        return false;
    }
}
