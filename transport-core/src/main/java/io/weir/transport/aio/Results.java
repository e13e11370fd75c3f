package io.weir.transport.aio;

import java.nio.ByteBuffer;
import java.nio.channels.CompletionHandler;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.Function;

/** Turns what calls give into what their callers are promised. */
final class Results {
    private Results() {}

    /** {@return a count, or null where nothing could be moved although something was to be} */
    static Long orWait(long count, ByteBuffer[] buffers) {
        if (count != 0) {
            return count;
        }
        for (ByteBuffer buffer : buffers) {
            if (buffer.hasRemaining()) {
                return null;
            }
        }
        return 0L;
    }

    /** {@return a handler of counts, of which one buffer's fits an int} */
    static <A> CompletionHandler<Long, A> ofCount(CompletionHandler<Integer, ? super A> handler) {
        return handler == null ? null : new Converted<>(handler, Long::intValue);
    }

    /** {@return a handler of that something is done} */
    static <A> CompletionHandler<Boolean, A> ofNothing(CompletionHandler<Void, ? super A> handler) {
        return handler == null ? null : new Converted<>(handler, done -> null);
    }

    /** A handler of something that another one takes converted. */
    private record Converted<V, W, A>(CompletionHandler<W, ? super A> handler, Function<V, W> convert)
            implements CompletionHandler<V, A> {
        @Override
        public void completed(V value, A attachment) {
            handler.completed(convert.apply(value), attachment);
        }

        @Override
        public void failed(Throwable problem, A attachment) {
            handler.failed(problem, attachment);
        }
    }

    /** {@return what somebody waits for; it is cancelled with the call} */
    static <V, W> Future<W> future(PendingCall<V> call, Function<V, W> convert) {
        CompletableFuture<W> converted = new CompletableFuture<>();
        CompletableFuture<V> unused = call.result().whenComplete((value, problem) -> {
            if (problem == null) {
                converted.complete(convert.apply(value));
            } else {
                converted.completeExceptionally(problem);
            }
        });
        CompletableFuture<W> alsoUnused = converted.whenComplete((value, problem) -> {
            if (converted.isCancelled()) {
                call.result().cancel(false);
            }
        });
        assert unused != null && alsoUnused != null;
        return converted;
    }
}
