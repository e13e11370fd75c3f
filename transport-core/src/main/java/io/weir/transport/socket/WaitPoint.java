package io.weir.transport.socket;

import io.weir.transport.runtime.EventLoop;
import java.io.InterruptedIOException;
import java.util.concurrent.locks.LockSupport;

/**
 * Where one application thread waits for the loop. Waiting: {@link #begin}, then {@link #pause} until what is waited
 * for has come, then {@link #end}. A signal between begin and pause ends the pause. At first the thread runs the loop
 * itself while nobody else does; later it parks.
 */
@SuppressWarnings(
        "ThreadPriorityCheck") // yielding before parking saves the wake-up when the answer is microseconds away
final class WaitPoint {
    private static final long SPIN_NANOS = 100_000;
    /**
     * A thread that nobody wakes although the loop has ended finds that out by itself: the last resort, without memory
     * to tell it, or when the loop's thread has called {@link System#exit}.
     */
    private static final long PARK_NANOS_MAX = 5_000_000_000L;

    private final EventLoop loop;
    private final WaitClock clock;
    private volatile Thread waiting;
    private long spinUntilNanos;
    /** Whether the loop may count on the waiting thread to run its cycles; that thread's. */
    private boolean mayRelieve;
    /** Whether the loop does so; that thread's. */
    private boolean isHelping;

    WaitPoint(EventLoop loop, WaitClock clock) {
        this.loop = loop;
        this.clock = clock;
    }

    /**
     * The calling thread waits from now on.
     *
     * @param call what it would wait in
     * @throws IllegalStateException if the thread is in a cycle of the loop: it would wait for itself
     */
    void begin(String call) {
        begin(call, true);
    }

    /**
     * As {@link #begin(String)}.
     *
     * @param relieves whether the loop's own thread may sleep while this one polls; not while so many bytes move that
     *     there is work for both
     */
    void begin(String call, boolean relieves) {
        requireMayWait(loop, call);
        mayRelieve = relieves;
        waiting = Thread.currentThread();
        spinUntilNanos = clock.nanoTime() + SPIN_NANOS;
    }

    /** Refuses to wait within the loop's own cycle: in a handler, listener or task. */
    static void requireMayWait(EventLoop loop, String call) {
        if (loop.isInCycle()) {
            throw new IllegalStateException(call + " would wait for " + loop.name()
                    + " in one of that loop's own cycles; use the methods that do not wait there, or another thread");
        }
    }

    /** Refuses to wait on a thread that is interrupted, for what {@code awaited} names. */
    static void requireNotInterrupted(String awaited) throws InterruptedIOException {
        if (Thread.currentThread().isInterrupted()) {
            throw new InterruptedIOException("interrupted while waiting for " + awaited);
        }
    }

    /**
     * Waits a while, or runs the loop when that is the calling thread's job.
     *
     * @param deadlineNanos a time of the clock after which to stop waiting
     * @return whether there is time left
     */
    boolean pause(long deadlineNanos) {
        long now = clock.nanoTime();
        if (loop.isInvoker() && loop.isLoopThread()) {
            if (now - deadlineNanos >= 0) {
                return false;
            }
            loop.runOnceAndIdle(deadlineNanos - now);
            return true;
        }
        if (now - deadlineNanos >= 0) {
            return false;
        }
        if (now - spinUntilNanos < 0) {
            if (mayRelieve && !isHelping) {
                isHelping = true;
                loop.helpers().enter();
            }
            if (loop.helpers().help() == 0) {
                Thread.yield();
            }
        } else {
            if (isHelping) {
                isHelping = false;
                loop.helpers().leaveToSleep();
            }
            if (!loop.endIfExiting()) {
                clock.park(this, Math.min(deadlineNanos - now, PARK_NANOS_MAX));
            }
        }
        return true;
    }

    void end() {
        waiting = null;
        if (isHelping) {
            isHelping = false;
            loop.helpers().leave();
        }
    }

    void signal() {
        Thread thread = waiting;
        if (thread != null && thread != Thread.currentThread()) {
            LockSupport.unpark(thread);
        }
    }
}
