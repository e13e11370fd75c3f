package io.weir.transport.runtime;

/**
 * How a loop's thread sleeps when it has nothing to do, and how other threads wake it. A wake-up that comes before the
 * sleep ends that sleep at once.
 */
public interface Waiter extends AutoCloseable {
    /** Sleeps until a port of the loop has a frame, {@link #wake} is called, or the time is over. Loop thread only. */
    void await(long timeoutNanos);

    /**
     * As {@link #await}, but frames need not end the sleep: another thread polls for them. Loop thread only.
     *
     * @param timeoutNanos how long to sleep at most
     */
    default void standBy(long timeoutNanos) {
        await(timeoutNanos);
    }

    /** Ends the loop's sleep, or its next one. Any thread; cheap while the loop is awake. */
    void wake();

    /** Gives back descriptors. */
    @Override
    void close();
}
