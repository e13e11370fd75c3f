package io.weir.transport.node;

import io.weir.transport.frame.Frame;

/** A Node without ports: work that a driver does at the times that the task asks for, next to the Nodes it is about. */
public interface TimedTask extends Node {
    @Override
    default void onFrame(int portIndex, Frame frame, long nowNanos) {
        throw new IllegalStateException("a task has no port " + portIndex);
    }

    @Override
    default Egress egress(int portIndex) {
        throw new IllegalStateException("a task has no port " + portIndex);
    }

    @Override
    default int portCount() {
        return 0;
    }

    @Override
    default void onPause(long pauseNanos, long nowNanos) {}
}
