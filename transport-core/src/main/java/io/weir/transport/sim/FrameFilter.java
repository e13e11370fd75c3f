package io.weir.transport.sim;

import io.weir.transport.frame.Frame;

/**
 * Decides which frames a link carries: loss, made on purpose. It looks at the frame and may damage it, but owns
 * nothing.
 */
@FunctionalInterface
public interface FrameFilter {
    /** {@return whether the frame goes on} */
    boolean passes(Frame frame, long nowNanos);
}
