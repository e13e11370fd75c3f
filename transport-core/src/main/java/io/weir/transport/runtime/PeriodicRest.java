package io.weir.transport.runtime;

import java.util.concurrent.locks.LockSupport;

/**
 * Lets the core go for a moment every millisecond. A real-time thread that never does would be stopped by the kernel
 * for 50 ms of every second, so that others get their twentieth; in small pieces, links can make up for it.
 */
public final class PeriodicRest {
    private static final long EVERY_NANOS = 1_000_000;
    private static final long SLEEP_NANOS = 60_000;

    private long nextNanos;

    /** Creates one that is due. */
    public PeriodicRest() {}

    /**
     * Sleeps if it is time to; to be called in every turn of a loop that spins, whether there was something to do or
     * not.
     */
    public void take(long nowNanos) {
        if (nowNanos < nextNanos) {
            Thread.onSpinWait();
            return;
        }
        nextNanos = nowNanos + EVERY_NANOS;
        LockSupport.parkNanos(this, SLEEP_NANOS);
    }
}
