package io.weir.transport.sim;

/** How far a Node's port is wrong about when a frame came, drawn frame by frame. */
@FunctionalInterface
public interface StampError {
    /** {@return what the next frame's stamp is after the time at which the Node sees it; not positive} */
    long nextNanos();
}
