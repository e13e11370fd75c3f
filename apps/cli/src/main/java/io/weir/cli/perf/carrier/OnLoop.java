package io.weir.cli.perf.carrier;

import io.weir.transport.runtime.OwnTimeLimit;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/** Asks loops of an endpoint for something, and waits for the answer. */
public final class OnLoop {
    private static final long SECONDS_MAX = 5;

    private OnLoop() {}

    /** {@return what the loop of a connection answers, or the first loop where there is no connection} */
    public static <T> T call(Endpoint endpoint, Link link, Supplier<T> work) throws IOException {
        return await(endpoint, ask(endpoint, link, work));
    }

    /** {@return what the loop of each connection answers, in their order} All of them are asked at once. */
    public static <T> List<T> callEach(Endpoint endpoint, List<Link> links, IntFunction<T> work) throws IOException {
        List<CompletableFuture<T>> asked = new ArrayList<>();
        for (int i = 0; i < links.size(); i++) {
            int index = i;
            asked.add(ask(endpoint, links.get(i), () -> work.apply(index)));
        }
        List<T> answers = new ArrayList<>();
        for (CompletableFuture<T> answer : asked) {
            answers.add(await(endpoint, answer));
        }
        return answers;
    }

    private static <T> CompletableFuture<T> ask(Endpoint endpoint, Link link, Supplier<T> work) throws IOException {
        CompletableFuture<T> answer = new CompletableFuture<>();
        try {
            endpoint.execute(link, now -> {
                try {
                    answer.complete(work.get());
                } catch (RuntimeException e) {
                    answer.completeExceptionally(e);
                }
            });
            return answer;
        } catch (RejectedExecutionException e) {
            throw failure(endpoint, e, "");
        }
    }

    private static <T> T await(Endpoint endpoint, CompletableFuture<T> answer) throws IOException {
        OwnTimeLimit limit = OwnTimeLimit.ofSeconds(SECONDS_MAX);
        try {
            return limit.get(answer);
        } catch (ExecutionException e) {
            throw new IllegalStateException("a task failed on the endpoint's loop", e.getCause());
        } catch (TimeoutException e) {
            throw failure(endpoint, e, limit.remark());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            InterruptedIOException interrupted = new InterruptedIOException("interrupted while waiting for the loop");
            interrupted.initCause(e);
            throw interrupted;
        }
    }

    private static SocketException failure(Endpoint endpoint, Exception refusal, String remark) {
        Throwable cause = endpoint.failure();
        SocketException failure = new SocketException(
                cause != null
                        ? "the transport ended by a fault: " + cause
                        : "the transport's loop did not answer within " + SECONDS_MAX + " s" + remark);
        failure.initCause(cause != null ? cause : refusal);
        return failure;
    }
}
