package io.weir.nic.host;

import io.weir.transport.runtime.Waiter;

/**
 * Sleeps in slices, for a loop with a port that has no descriptor: it looks at the port after each. A frame that comes
 * meanwhile waits for at most a slice.
 */
public final class SliceWaiter implements Waiter {
    private final Waiter waiter;
    private final long sliceNanos;

    /** Sleeps by {@code waiter}, for {@code sliceNanos} at most. */
    public SliceWaiter(Waiter waiter, long sliceNanos) {
        this.waiter = waiter;
        this.sliceNanos = sliceNanos;
    }

    @Override
    public void await(long timeoutNanos) {
        waiter.await(Math.min(timeoutNanos, sliceNanos));
    }

    @Override
    public void standBy(long timeoutNanos) {
        waiter.standBy(timeoutNanos);
    }

    @Override
    public void wake() {
        waiter.wake();
    }

    @Override
    public void close() {
        waiter.close();
    }
}
