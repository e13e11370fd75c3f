package io.weir.transport.socket;

import io.weir.transport.runtime.EventLoop;
import java.util.concurrent.locks.LockSupport;

/**
 * Where one application thread waits for the loop. Waiting: {@link #begin}, then {@link #pause} until what is waited for has
 * come, then {@link #end}. A signal between begin and pause ends the pause. At first the thread runs the loop itself while
 * nobody else does; later it parks.
 */
@SuppressWarnings(
        "ThreadPriorityCheck") // yielding before parking saves the wake-up when the answer is microseconds away
final class WaitPoint {
    private static final long SPIN_NANOS = 100_000;

    private final EventLoop loop;
    private volatile Thread waiting;
    private long spinUntilNanos;

    WaitPoint(EventLoop loop) {
        this.loop = loop;
    }

    void begin() {
        waiting = Thread.currentThread();
        spinUntilNanos = System.nanoTime() + SPIN_NANOS;
    }

    /**
     * Waits a while, or runs the loop when that is the calling thread's job.
     *
     * @param deadlineNanos a {@link System#nanoTime} after which to stop waiting
     * @return whether there is time left
     */
    boolean pause(long deadlineNanos) {
        if (loop.isLoopThread()) {
            loop.runOnceAndIdle();
            return System.nanoTime() - deadlineNanos < 0;
        }
        long now = System.nanoTime();
        if (now - deadlineNanos >= 0) {
            return false;
        }
        if (now - spinUntilNanos < 0) {
            if (loop.help() == 0) {
                Thread.yield();
            }
        } else {
            LockSupport.parkNanos(this, deadlineNanos - now);
        }
        return true;
    }

    void end() {
        waiting = null;
    }

    void signal() {
        Thread thread = waiting;
        if (thread != null && thread != Thread.currentThread()) {
            LockSupport.unpark(thread);
        }
    }
}
