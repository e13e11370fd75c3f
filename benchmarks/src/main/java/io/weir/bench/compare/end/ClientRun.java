package io.weir.bench.compare.end;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** When a client's run began, when it counts, and that it ended. */
final class ClientRun {
    private static final long SPARE_SECONDS = 90;

    private final EndSpec spec;
    private final EndOutput out;
    private final CompletableFuture<Void> over = new CompletableFuture<>();
    private volatile long fromNanos;
    private volatile long untilNanos;

    ClientRun(EndSpec spec, EndOutput out) {
        this.spec = spec;
        this.out = out;
    }

    EndSpec spec() {
        return spec;
    }

    EndOutput out() {
        return out;
    }

    /** Notes that traffic begins now, and says when it will count. */
    void begin() {
        fromNanos = System.nanoTime() + spec.warmNanos();
        untilNanos = fromNanos + spec.windowNanos();
        out.window(fromNanos, untilNanos);
    }

    boolean isCounting(long nowNanos) {
        return nowNanos - fromNanos >= 0 && nowNanos - untilNanos < 0;
    }

    boolean isOver(long nowNanos) {
        return nowNanos - untilNanos >= 0;
    }

    void end() {
        over.complete(null);
    }

    void fail(String reason) {
        over.completeExceptionally(new IllegalStateException(reason));
    }

    boolean hasEnded() {
        return over.isDone();
    }

    /** Waits for the end. */
    void await() throws InterruptedException, TimeoutException {
        try {
            over.get(
                    spec.warmNanos() + spec.windowNanos() + TimeUnit.SECONDS.toNanos(SPARE_SECONDS),
                    TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause().getMessage(), e);
        }
    }
}
