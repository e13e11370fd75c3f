package io.weir.transport.socket;

import io.weir.transport.runtime.LoopTask;
import io.weir.transport.runtime.OwnTimeLimit;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/** Runs a call on the loop's thread while the calling thread waits for its result. */
final class LoopAnswer<T> implements LoopTask {
    private static final long WAIT_NANOS = 5_000_000_000L;

    private static final String REMEDY = "; in invoker mode, a thread must be running it";

    private static final int WAITING = 0;
    private static final int RUNNING = 1;
    private static final int ABANDONED = 2;

    private final LoopCall<T> call;
    private final Transport transport;
    private final WaitPoint waitPoint;
    private final AtomicInteger state = new AtomicInteger(WAITING);
    /** What the call gave. Written by the loop before {@link #isDone}. */
    private T result;
    /** What the call threw, or null. Written by the loop before {@link #isDone}. */
    private Throwable problem;
    /** Whether the call was made, or never will be. Written by the loop. */
    private volatile boolean isDone;

    LoopAnswer(LoopCall<T> call, TransportLoop home) {
        this.call = call;
        this.transport = home.transport();
        this.waitPoint = new WaitPoint(home.loop(), transport.clock());
    }

    @Override
    public void run(long nowNanos) {
        if (!state.compareAndSet(WAITING, RUNNING)) {
            // Nobody waits any more: what the call makes would be nobody's.
            return;
        }
        try {
            result = call.run(nowNanos);
        } catch (Throwable e) {
            problem = e;
            if (e instanceof VirtualMachineError error) {
                throw error;
            }
        } finally {
            isDone = true;
            waitPoint.signal();
        }
    }

    @Override
    public void onLoopEnded(Throwable failure) {
        waitPoint.signal();
    }

    /**
     * {@return the answer} It waits for 5 s at most of the time that this process has, and no longer than the caller
     * has time.
     */
    T await(long waitNanosMax) throws IOException {
        if (!isDone) {
            awaitDone(waitNanosMax);
        }
        if (problem instanceof RuntimeException refusal) {
            throw refusal;
        }
        if (problem != null) {
            throw TransportEnd.byFault(problem);
        }
        return result;
    }

    private void awaitDone(long waitNanosMax) throws IOException {
        WaitClock clock = transport.clock();
        OwnTimeLimit guard = clock.limit(WAIT_NANOS);
        long deadlineNanos = clock.nanoTime() + waitNanosMax;
        waitPoint.begin("the call");
        try {
            while (true) {
                // First: an answer that came before the loop's end is an answer.
                IOException end = transport.end().reason();
                if (isDone) {
                    return;
                }
                if (end != null && abandon()) {
                    throw end;
                }
                if (Thread.currentThread().isInterrupted() && abandon()) {
                    throw new InterruptedIOException("interrupted while waiting for the transport's loop");
                }
                long guardNanos = guard.leftNanos();
                if (guardNanos == 0 && abandon()) {
                    throw stuck(guard);
                }
                long now = clock.nanoTime();
                long leftNanos = deadlineNanos - now;
                if (leftNanos <= 0 && abandon()) {
                    throw new SocketTimeoutException("timed out: the transport's loop did not answer" + REMEDY);
                }
                waitPoint.pause(now + Math.max(0, Math.min(leftNanos, guardNanos)));
            }
        } finally {
            waitPoint.end();
        }
    }

    private static SocketException stuck(OwnTimeLimit guard) {
        return new SocketException("the transport's loop did not answer within 5 s" + guard.remark() + REMEDY);
    }

    /** {@return whether the call will not be made any more; one that has begun is waited for} */
    private boolean abandon() {
        return state.compareAndSet(WAITING, ABANDONED);
    }
}
