package io.weir.nic.testing;

import static org.junit.jupiter.api.Assertions.fail;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Waits for something to become true, for a bounded time. */
public final class Deadline {
    private static final long NANOS_MAX = TimeUnit.SECONDS.toNanos(15);
    private static final long POLL_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

    private Deadline() {}

    /** Something that becomes true. */
    @FunctionalInterface
    public interface Condition {
        /** {@return whether it is true now} */
        boolean holds() throws Exception;
    }

    /** Asks again and again until {@code condition} holds; fails saying {@code what} did not happen. */
    public static void await(String what, Condition condition) throws Exception {
        long startNanos = System.nanoTime();
        while (!condition.holds()) {
            if (System.nanoTime() - startNanos > NANOS_MAX) {
                fail(what + " did not happen within " + TimeUnit.NANOSECONDS.toSeconds(NANOS_MAX) + " s");
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
    }
}
