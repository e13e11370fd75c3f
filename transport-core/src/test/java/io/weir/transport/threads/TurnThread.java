package io.weir.transport.threads;

import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;

/**
 * A thread that runs only while it is its turn. Takes the place of {@link Thread} in the product's bytes. All fields
 * belong to the thread whose turn it is, whichever that is.
 */
public final class TurnThread extends Thread {
    /** Lets the thread go on. */
    private final Semaphore turn = new Semaphore(0);
    /** Null while the thread does not run in an order of threads. */
    private ThreadOrder order;
    /** What the thread waits for, or null while it can run. */
    private BooleanSupplier awaited;
    /** Until when it waits at most. */
    private long deadlineNanos;
    /** Whether it waits for its core alone. */
    private boolean isStalled;
    /** Whether the last wait ended by its deadline. */
    private boolean isLate;
    /** {@link java.util.concurrent.locks.LockSupport}'s permit. */
    private boolean hasPermit;
    /** Whether it has been interrupted while it was another thread's turn. */
    private boolean isInterruptDue;
    /** Whether it will never run again. */
    private boolean hasEnded;
    /** What it is at, for messages. */
    private String activity = "";
    /** Whether what it waits for has come, as far as an outsider can tell; null where nobody can. */
    private BooleanSupplier mustNotWait;
    /** Since when it has been seen to wait for what has come, or 0. */
    private long needlessSinceNanos;

    /** As {@link Thread#Thread(Runnable, String)}. */
    public TurnThread(Runnable work, String name) {
        super(work, name);
        setDaemon(true);
    }

    /** As {@link Thread#Thread(String)}. */
    public TurnThread(String name) {
        super(name);
    }

    /** {@return the calling thread in its order, or null if it has none} */
    static TurnThread current() {
        return Thread.currentThread() instanceof TurnThread thread && thread.order != null ? thread : null;
    }

    void join(ThreadOrder newOrder) {
        order = newOrder;
    }

    @Override
    public void run() {
        awaitTurn();
        try {
            super.run();
        } catch (Throwable e) {
            order.fail(getName() + " ended by " + e, e);
        } finally {
            hasEnded = true;
            order.leave(this);
        }
    }

    void awaitTurn() {
        turn.acquireUninterruptibly();
        if (isInterruptDue) {
            isInterruptDue = false;
            interrupt();
        }
    }

    void giveTurn() {
        turn.release();
    }

    ThreadOrder order() {
        return order;
    }

    /** The thread waits from now on. */
    void await(BooleanSupplier condition, long untilNanos) {
        awaited = condition;
        deadlineNanos = untilNanos;
        isLate = false;
        isStalled = false;
    }

    /** The thread is off its core until then. */
    void stall(long untilNanos) {
        await(() -> false, untilNanos);
        isStalled = true;
    }

    boolean isStalled() {
        return isStalled && awaited != null && !hasEnded;
    }

    /** {@return whether the thread can run now} */
    boolean canRun(long nowNanos) {
        if (hasEnded) {
            return false;
        }
        if (awaited == null) {
            return true;
        }
        if (awaited.getAsBoolean()) {
            awaited = null;
            return true;
        }
        if (deadlineNanos <= nowNanos) {
            awaited = null;
            isLate = true;
            return true;
        }
        return false;
    }

    long deadlineNanos() {
        return deadlineNanos;
    }

    boolean isLate() {
        return isLate;
    }

    boolean hasEnded() {
        return hasEnded;
    }

    void permit() {
        hasPermit = true;
    }

    boolean takePermit() {
        boolean had = hasPermit;
        hasPermit = false;
        return had;
    }

    boolean hasPermit() {
        return hasPermit;
    }

    /** Interrupts the thread, whose turn it is not. */
    void interruptLater() {
        isInterruptDue = true;
    }

    boolean isInterruptDue() {
        return isInterruptDue;
    }

    void setActivity(String what, BooleanSupplier hasCome) {
        activity = what;
        mustNotWait = hasCome;
    }

    /** {@return what it is at if it waits for what has come, or null} */
    String needlessWait() {
        return !hasEnded && !isStalled() && awaited != null && mustNotWait != null && mustNotWait.getAsBoolean()
                ? activity
                : null;
    }

    /** {@return for how long it has been seen to wait for what has come} */
    long needlessNanos(long nowNanos) {
        if (needlessWait() == null) {
            needlessSinceNanos = 0;
            return 0;
        }
        needlessSinceNanos = needlessSinceNanos == 0 ? nowNanos : needlessSinceNanos;
        return nowNanos - needlessSinceNanos;
    }

    @Override
    public String toString() {
        return getName() + (hasEnded ? " has ended" : awaited == null ? " can run" : " waits") + " in " + activity;
    }
}
