package io.weir.transport.runtime;

/** What a loop does when there is nothing to do. */
public enum IdleMode {
    /** Polls again at once: the lowest latency, a core for itself. */
    BUSY_SPIN,
    /** Polls for a while, then sleeps until a frame, a call or a deadline: the default. */
    BACK_OFF,
    /**
     * Has no thread: the application runs the loop on its own, by {@link EventLoop#runOnce} and inside blocking calls.
     * Of several loops each may have a thread of the application's, which is the only one that runs it.
     */
    INVOKER
}
