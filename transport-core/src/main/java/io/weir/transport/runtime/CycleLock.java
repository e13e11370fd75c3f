package io.weir.transport.runtime;

import java.util.concurrent.atomic.AtomicReference;

/**
 * The right to run a loop's next cycle, and with it everything that the loop owns. The loop's thread takes it for each
 * cycle; a thread that waits for the loop may take it in between. Taking costs one exchange.
 */
@SuppressWarnings("ThreadPriorityCheck") // who holds the cycle lock may need this core to get up again
final class CycleLock {
    /** Holds the cycle lock of a loop that has ended. It never runs. */
    private static final Thread NOBODY = new Thread("nobody");

    private final AtomicReference<Thread> holder = new AtomicReference<>();

    boolean tryTake() {
        return holder.getPlain() == null && holder.compareAndSet(null, Thread.currentThread());
    }

    /** {@return who holds it, or null; {@link #isRetired} tells whether anybody can} */
    Thread holder() {
        return holder.getAcquire();
    }

    /** Takes it from a thread that will never run again; what that has half done stays so. */
    boolean takeFrom(Thread stopped) {
        return holder.compareAndSet(stopped, Thread.currentThread());
    }

    /** {@return whether the calling thread holds it} */
    boolean isMine() {
        return holder.getPlain() == Thread.currentThread();
    }

    /**
     * Waits until the calling thread has it: at most as long as the cycle that is going on takes.
     *
     * @return false after the end
     */
    boolean take() {
        while (!tryTake()) {
            if (isRetired()) {
                return false;
            }
            Thread.yield();
        }
        return true;
    }

    /** {@return whether no cycle is left that had begun} Waits for that, unless it is the calling thread's own. */
    boolean awaitLeave() {
        if (isMine()) {
            return false;
        }
        if (take()) {
            leave();
        }
        return true;
    }

    /** Gives it up; what was written while it was held is visible to the thread that takes it next. */
    void leave() {
        holder.setRelease(null);
    }

    /** Gives it up for good: nobody gets it any more. */
    void retire() {
        holder.setRelease(NOBODY);
    }

    /** {@return whether nobody gets it any more} */
    boolean isRetired() {
        return holder.getAcquire() == NOBODY;
    }
}
