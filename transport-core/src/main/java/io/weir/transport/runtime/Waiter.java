package io.weir.transport.runtime;

/**
 * How a loop's thread sleeps when it has nothing to do, and how other threads wake it. A wake-up that comes before the
 * sleep ends that sleep at once.
 */
public interface Waiter extends AutoCloseable {
    /** Sleeps until a port of the loop has a frame, {@link #wake} is called, or the time is over. Loop thread only. */
    void await(long timeoutNanos);

    /** Ends the loop's sleep, or its next one. Any thread; cheap while the loop is awake. */
    void wake();

    /** Gives back descriptors. */
    @Override
    void close();
}
