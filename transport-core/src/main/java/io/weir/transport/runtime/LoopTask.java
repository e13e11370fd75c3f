package io.weir.transport.runtime;

/** Something that a loop's thread does for another thread. It must not block. */
@FunctionalInterface
public interface LoopTask {
    /** Does it. */
    void run(long nowNanos);

    /**
     * The loop ended before it could run the task, and never will. On any thread, once.
     *
     * @param failure why the loop ended by itself, or null if it was closed
     */
    default void onLoopEnded(Throwable failure) {}
}
