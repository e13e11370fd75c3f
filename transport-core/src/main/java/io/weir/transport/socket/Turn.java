package io.weir.transport.socket;

import io.weir.transport.runtime.EventLoop;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Whose turn it is to read, write or accept: one thread's at a time. Waiting for it ends like the call that needs it:
 * when the time is over, the thread is interrupted, or the transport ends.
 */
final class Turn {
    /** How often a thread that waits looks whether the transport has ended. */
    private static final long LOOK_NANOS = 100_000_000;

    private final Transport transport;
    private final EventLoop loop;
    private final ReentrantLock lock = new ReentrantLock();

    /** Creates a turn at what this loop does; nobody's. */
    Turn(TransportLoop home) {
        this.transport = home.transport();
        this.loop = home.loop();
    }

    /**
     * {@return whether it is the calling thread's turn now} It does not wait. A thread that waits in its turn runs
     * cycles meanwhile: to what runs in these, it is another thread's turn.
     */
    boolean tryTake() {
        return !lock.isHeldByCurrentThread() && lock.tryLock();
    }

    /** Waits until it is the calling thread's turn, for what {@code call} names. */
    void take(String call, long deadlineNanos) throws IOException {
        if (!tryTake()) {
            await(call, deadlineNanos);
        }
    }

    private void await(String call, long deadlineNanos) throws IOException {
        WaitPoint.requireMayWait(loop, call);
        boolean isTaken = false;
        while (!isTaken) {
            long leftNanos = deadlineNanos - transport.clock().nanoTime();
            if (leftNanos <= 0) {
                throw new SocketTimeoutException(call + " timed out while another thread was at it");
            }
            transport.end().requireRunning();
            isTaken = awaitAWhile(Math.min(leftNanos, LOOK_NANOS));
        }
    }

    private boolean awaitAWhile(long nanos) throws IOException {
        if (loop.isInvoker() && loop.isLoopThread()) {
            // The other thread waits for what only this one can bring about.
            loop.runOnceAndIdle(nanos);
            return lock.tryLock();
        }
        try {
            return lock.tryLock(nanos, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            InterruptedIOException interrupted =
                    new InterruptedIOException("interrupted while another thread was at it");
            interrupted.initCause(e);
            throw interrupted;
        }
    }

    void leave() {
        lock.unlock();
    }
}
