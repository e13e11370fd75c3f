package io.weir.transport.aio;

import java.nio.channels.CompletionHandler;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * A call that has not ended: its result goes to a handler, which an executor runs, or to who waits for a future. Any
 * thread.
 *
 * @param <V> what it gives
 */
final class PendingCall<V> {
    private final CompletableFuture<V> result = new CompletableFuture<>();

    /** {@return a call that somebody waits for} */
    static <V> PendingCall<V> awaited() {
        return new PendingCall<>();
    }

    /** {@return a call whose handler the group runs} */
    static <V, A> PendingCall<V> handled(SelectingGroup group, A attachment, CompletionHandler<V, ? super A> handler) {
        if (handler == null) {
            throw new NullPointerException("handler is null; give what is told of the end, or wait for the future");
        }
        PendingCall<V> call = new PendingCall<>();
        CompletableFuture<V> unused = call.result.whenComplete((value, problem) -> group.execute(() -> {
            if (problem == null) {
                handler.completed(value, attachment);
            } else {
                handler.failed(
                        problem instanceof CompletionException && problem.getCause() != null
                                ? problem.getCause()
                                : problem,
                        attachment);
            }
        }));
        assert unused != null;
        return call;
    }

    CompletableFuture<V> result() {
        return result;
    }

    /** {@return whether it is over, also because it was cancelled} */
    boolean isOver() {
        return result.isDone();
    }

    boolean complete(V value) {
        return result.complete(value);
    }

    boolean fail(Throwable problem) {
        return result.completeExceptionally(problem);
    }
}
