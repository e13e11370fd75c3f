package io.weir.transport.node;

/**
 * A Node with one port that waits for no time: one that counts, keeps or passes on what comes. Without an egress
 * it transmits nothing.
 */
public interface UntimedNode extends Node {
    @Override
    default void onTimeout(long nowNanos) {}

    /** {@return NO_DEADLINE} */
    @Override
    default long nextTimeoutNanos() {
        return Long.MAX_VALUE;
    }

    @Override
    default Egress egress(int portIndex) {
        throw new UnsupportedOperationException("port " + portIndex + " transmits nothing");
    }

    @Override
    default int portCount() {
        return 1;
    }

    @Override
    default void onPause(long pauseNanos, long nowNanos) {}
}
