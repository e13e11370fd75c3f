package io.weir.transport.runtime;

/** What a loop sleeps with, in whose place another one can be put: that of a port which has other descriptors. */
public final class ReplaceableWaiter implements Waiter {
    /** Replaced by the loop's thread. */
    private volatile Waiter waiter;

    /** Begins with one, which it owns. */
    public ReplaceableWaiter(Waiter first) {
        this.waiter = first;
    }

    /** Sleeps with another one from now on, which it owns, and closes the one before. Loop thread. */
    public void replace(Waiter next) {
        Waiter before = waiter;
        waiter = next;
        // Who has just woken the one before has not woken this.
        next.wake();
        before.close();
    }

    @Override
    public void await(long timeoutNanos) {
        waiter.await(timeoutNanos);
    }

    @Override
    public void standBy(long timeoutNanos) {
        waiter.standBy(timeoutNanos);
    }

    @Override
    public void wake() {
        Waiter woken = waiter;
        woken.wake();
        Waiter now = waiter;
        if (now != woken) {
            now.wake();
        }
    }

    @Override
    public void close() {
        waiter.close();
    }
}
