package io.weir.transport.runtime;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** Sleeps by parking the thread: for loops whose ports have no file descriptor to poll. */
public final class ParkWaiter implements Waiter {
    private static final int AWAKE = 0;
    private static final int ASLEEP = 1;
    private static final int WOKEN = 2;

    private final AtomicInteger state = new AtomicInteger(AWAKE);
    private volatile Thread sleeper;

    /** Creates a waiter whose thread is awake. */
    public ParkWaiter() {}

    @Override
    public void await(long timeoutNanos) {
        sleeper = Thread.currentThread();
        if (state.compareAndSet(AWAKE, ASLEEP)) {
            LockSupport.parkNanos(this, timeoutNanos);
        }
        state.set(AWAKE);
    }

    @Override
    public void wake() {
        if (state.getAndSet(WOKEN) == ASLEEP) {
            LockSupport.unpark(sleeper);
        }
    }

    @Override
    public void close() {
        // Nothing is held.
    }
}
