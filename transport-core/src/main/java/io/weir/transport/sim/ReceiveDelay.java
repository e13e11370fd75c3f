package io.weir.transport.sim;

/** How long a Node takes to see a frame that has arrived, drawn frame by frame. */
@FunctionalInterface
public interface ReceiveDelay {
    /** Frames are seen when they arrive. */
    ReceiveDelay NONE = () -> 0;

    /** {@return the next frame's delay; not negative} */
    long nextNanos();
}
