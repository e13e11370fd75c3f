package io.weir.transport.runtime;

import java.util.concurrent.atomic.AtomicReference;

/**
 * The right to run a loop's next cycle, and with it everything that the loop owns. The loop's thread takes it for each cycle; a
 * thread that waits for the loop may take it in between. Taking costs one exchange.
 */
@SuppressWarnings("ThreadPriorityCheck") // who holds the seat may need this core to get up again
final class Seat {
    private final AtomicReference<Thread> holder = new AtomicReference<>();
    private volatile boolean isOwnerAsleep;

    boolean tryTake() {
        return holder.getPlain() == null && holder.compareAndSet(null, Thread.currentThread());
    }

    /** {@return whether the calling thread holds it} */
    boolean isMine() {
        return holder.getPlain() == Thread.currentThread();
    }

    void take() {
        while (!tryTake()) {
            Thread.yield();
        }
    }

    /** Gives it up; what was written while it was held is visible to whoever takes it next. */
    void leave() {
        holder.setRelease(null);
    }

    /** The loop's thread is about to sleep until a deadline that was right just now, or is awake again. */
    void setOwnerAsleep(boolean asleep) {
        isOwnerAsleep = asleep;
    }

    /** {@return whether the loop's thread sleeps, and does not know of work that was done since} */
    boolean isOwnerAsleep() {
        return isOwnerAsleep;
    }
}
