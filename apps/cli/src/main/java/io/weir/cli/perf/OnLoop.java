package io.weir.cli.perf;

import io.weir.transport.socket.Transport;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** Asks a transport's loop for something, and waits for the answer. */
final class OnLoop {
    private static final long SECONDS_MAX = 5;

    private OnLoop() {}

    static <T> T call(Transport transport, Supplier<T> work) throws IOException {
        CompletableFuture<T> answer = new CompletableFuture<>();
        try {
            transport.execute(now -> {
                try {
                    answer.complete(work.get());
                } catch (RuntimeException e) {
                    answer.completeExceptionally(e);
                }
            });
            return answer.get(SECONDS_MAX, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new IllegalStateException("a task failed on the transport's loop", e.getCause());
        } catch (TimeoutException | RejectedExecutionException e) {
            throw failure(transport, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            InterruptedIOException interrupted = new InterruptedIOException("interrupted while waiting for the loop");
            interrupted.initCause(e);
            throw interrupted;
        }
    }

    private static SocketException failure(Transport transport, Exception refusal) {
        Throwable cause = transport.loop().failure();
        SocketException failure = new SocketException(
                cause != null
                        ? "the transport ended by a fault: " + cause
                        : "the transport's loop did not answer within " + SECONDS_MAX + " s");
        failure.initCause(cause != null ? cause : refusal);
        return failure;
    }
}
