package io.weir.transport.threads;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What the product's bytes call in the laboratory in place of the JDK's methods, with the same meaning in an order of
 * threads; on a thread without one they do what the JDK does.
 */
@SuppressWarnings("ThreadPriorityCheck") // stands for Thread.yield
public final class TurnCalls {
    private static int hashes;

    private TurnCalls() {}

    /** The calling thread is about to touch what others see. */
    public static void point(String where) {
        TurnThread me = TurnThread.current();
        if (me != null) {
            me.order().point(where);
        }
    }

    /** As {@link System#nanoTime}. */
    public static long nanoTime() {
        TurnThread me = TurnThread.current();
        return me == null ? System.nanoTime() : me.order().nanoTime();
    }

    /** As {@link Thread#yield}. */
    public static void yieldTurn() {
        TurnThread me = TurnThread.current();
        if (me == null) {
            Thread.yield();
        } else {
            me.order().yieldTurn();
        }
    }

    /** As {@link java.util.concurrent.locks.LockSupport#parkNanos(long)}. */
    public static void parkNanos(long nanos) {
        TurnThread me = TurnThread.current();
        if (!me.takePermit() && nanos > 0 && !Thread.currentThread().isInterrupted()) {
            me.order().waitFor(() -> me.hasPermit() || me.isInterruptDue(), nanos);
            me.takePermit();
        }
    }

    /** As {@link java.util.concurrent.locks.LockSupport#parkNanos(Object, long)}. */
    public static void parkNanos(Object blocker, long nanos) {
        parkNanos(nanos);
    }

    /** As {@link java.util.concurrent.locks.LockSupport#unpark}. */
    public static void unpark(Thread thread) {
        point("unpark");
        if (thread instanceof TurnThread other) {
            other.permit();
        }
    }

    /** As {@link Thread#start}. */
    public static void start(Thread thread) {
        TurnThread me = TurnThread.current();
        if (me == null) {
            thread.start();
        } else {
            me.order().start((TurnThread) thread);
        }
    }

    /** As {@code synchronized}. */
    public static void enterMonitor(Object object) {
        TurnThread me = TurnThread.current();
        if (me != null) {
            me.order().enterMonitor(object);
        }
    }

    /** The end of {@code synchronized}. */
    public static void exitMonitor(Object object) {
        TurnThread me = TurnThread.current();
        if (me != null) {
            me.order().exitMonitor(object);
        }
    }

    /** As {@link ReentrantLock#tryLock()}. */
    public static boolean tryLock(ReentrantLock lock) {
        point("tryLock");
        return lock.tryLock();
    }

    /** As {@link ReentrantLock#tryLock(long, TimeUnit)}. */
    public static boolean tryLock(ReentrantLock lock, long time, TimeUnit unit) throws InterruptedException {
        TurnThread me = TurnThread.current();
        if (me == null) {
            return lock.tryLock(time, unit);
        }
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        boolean isFree = me.order().waitFor(() -> !lock.isLocked() || me.isInterruptDue(), unit.toNanos(time));
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        return isFree && lock.tryLock();
    }

    /** As {@link ReentrantLock#unlock}. */
    public static void unlock(ReentrantLock lock) {
        lock.unlock();
        point("unlock");
    }

    /** As {@link CountDownLatch#await(long, TimeUnit)}. */
    public static boolean await(CountDownLatch latch, long time, TimeUnit unit) throws InterruptedException {
        TurnThread me = TurnThread.current();
        if (me == null) {
            return latch.await(time, unit);
        }
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        boolean isOver = me.order().waitFor(() -> latch.getCount() == 0 || me.isInterruptDue(), unit.toNanos(time));
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        return isOver;
    }

    /** {@return the next hash of an object: that of the JDK differs from run to run, and with it the order of sets} */
    public static int nextHash() {
        return ++hashes * 0x9E37_79B1;
    }

    static void resetHashes() {
        hashes = 0;
    }
}
