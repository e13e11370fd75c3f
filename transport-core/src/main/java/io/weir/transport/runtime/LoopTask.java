package io.weir.transport.runtime;

/** Something that a loop's thread does for another thread. It must not block. */
@FunctionalInterface
public interface LoopTask {
    /** Does it. */
    void run(long nowNanos);
}
