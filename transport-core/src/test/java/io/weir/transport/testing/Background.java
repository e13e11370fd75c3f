package io.weir.transport.testing;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

/**
 * Runs blocking work of a test on its own thread. The common pool has one thread on two cores, and from JDK 25 on
 * {@link CompletableFuture} uses it all the same: work that waits for other work would never end there.
 */
public final class Background {
    private Background() {}

    /** {@return what {@code work} gives, once it does} */
    public static <T> CompletableFuture<T> run(Callable<T> work) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Thread thread = new Thread(
                () -> {
                    try {
                        result.complete(work.call());
                    } catch (Throwable e) {
                        result.completeExceptionally(e);
                    }
                },
                "background");
        thread.setDaemon(true);
        thread.start();
        return result;
    }

    /** {@return what is complete once {@code work} is} */
    public static CompletableFuture<Void> run(Work work) {
        return run(() -> {
            work.run();
            return null;
        });
    }

    /** Work without a result. */
    @FunctionalInterface
    public interface Work {
        /** Does it. */
        void run() throws Exception;
    }
}
