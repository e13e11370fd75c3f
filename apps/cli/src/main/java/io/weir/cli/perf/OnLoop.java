package io.weir.cli.perf;

import io.weir.transport.host.Connection;
import io.weir.transport.runtime.EventLoop;
import io.weir.transport.runtime.LoopTask;
import io.weir.transport.runtime.OwnTimeLimit;
import io.weir.transport.socket.Transport;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/** Asks loops of a transport for something, and waits for the answer. */
final class OnLoop {
    private static final long SECONDS_MAX = 5;

    private OnLoop() {}

    /** {@return what the loop of a connection answers, or the first loop where there is no connection} */
    static <T> T call(Transport transport, Connection connection, Supplier<T> work) throws IOException {
        return await(transport, ask(transport, connection, work));
    }

    /** {@return what the loop of each connection answers, in their order} All of them are asked at once. */
    static <T> List<T> callEach(Transport transport, List<Connection> connections, IntFunction<T> work)
            throws IOException {
        List<CompletableFuture<T>> asked = new ArrayList<>();
        for (int i = 0; i < connections.size(); i++) {
            int index = i;
            asked.add(ask(transport, connections.get(i), () -> work.apply(index)));
        }
        List<T> answers = new ArrayList<>();
        for (CompletableFuture<T> answer : asked) {
            answers.add(await(transport, answer));
        }
        return answers;
    }

    /** Has the loop of a connection run a task, or the first loop where there is no connection. */
    static void execute(Transport transport, Connection connection, LoopTask task) {
        if (connection == null) {
            transport.execute(task);
        } else {
            transport.execute(connection, task);
        }
    }

    private static <T> CompletableFuture<T> ask(Transport transport, Connection connection, Supplier<T> work)
            throws IOException {
        CompletableFuture<T> answer = new CompletableFuture<>();
        try {
            execute(transport, connection, now -> {
                try {
                    answer.complete(work.get());
                } catch (RuntimeException e) {
                    answer.completeExceptionally(e);
                }
            });
            return answer;
        } catch (RejectedExecutionException e) {
            throw failure(transport, e, "");
        }
    }

    private static <T> T await(Transport transport, CompletableFuture<T> answer) throws IOException {
        OwnTimeLimit limit = OwnTimeLimit.ofSeconds(SECONDS_MAX);
        try {
            return limit.get(answer);
        } catch (ExecutionException e) {
            throw new IllegalStateException("a task failed on the transport's loop", e.getCause());
        } catch (TimeoutException e) {
            throw failure(transport, e, limit.remark());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            InterruptedIOException interrupted = new InterruptedIOException("interrupted while waiting for the loop");
            interrupted.initCause(e);
            throw interrupted;
        }
    }

    private static SocketException failure(Transport transport, Exception refusal, String remark) {
        Throwable cause = transport.loops().stream()
                .map(EventLoop::failure)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
        SocketException failure = new SocketException(
                cause != null
                        ? "the transport ended by a fault: " + cause
                        : "the transport's loop did not answer within " + SECONDS_MAX + " s" + remark);
        failure.initCause(cause != null ? cause : refusal);
        return failure;
    }
}
