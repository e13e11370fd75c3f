package io.weir.transport.socket;

import io.weir.transport.runtime.LoopTask;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketException;
import java.util.concurrent.atomic.AtomicInteger;

/** Runs a call on the loop's thread while the calling thread waits for its result. */
final class LoopAnswer<T> implements LoopTask {
    private static final long WAIT_NANOS = 5_000_000_000L;

    private static final int WAITING = 0;
    private static final int RUNNING = 1;
    private static final int ABANDONED = 2;

    private final LoopCall<T> call;
    private final Transport transport;
    private final WaitPoint waitPoint;
    private final AtomicInteger state = new AtomicInteger(WAITING);
    private T result;
    private volatile boolean isDone;

    LoopAnswer(LoopCall<T> call, Transport transport) {
        this.call = call;
        this.transport = transport;
        this.waitPoint = new WaitPoint(transport.loop());
    }

    @Override
    public void run(long nowNanos) {
        if (!state.compareAndSet(WAITING, RUNNING)) {
            // Whoever asked has gone: what the call makes would be nobody's.
            return;
        }
        result = call.run(nowNanos);
        isDone = true;
        waitPoint.signal();
    }

    T await() throws IOException {
        long deadlineNanos = System.nanoTime() + WAIT_NANOS;
        waitPoint.begin();
        try {
            while (!isDone) {
                transport.requireRunning();
                if (Thread.currentThread().isInterrupted() && abandon()) {
                    throw new InterruptedIOException("interrupted while waiting for the transport's loop");
                }
                if (!waitPoint.pause(deadlineNanos) && abandon()) {
                    throw new SocketException(
                            "the transport's loop did not answer within 5 s; in invoker mode, a thread "
                                    + "must be running it");
                }
            }
            return result;
        } finally {
            waitPoint.end();
        }
    }

    /** {@return whether the call will not be made any more; one that has begun is waited for} */
    private boolean abandon() {
        return state.compareAndSet(WAITING, ABANDONED);
    }
}
