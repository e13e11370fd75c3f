package io.weir.nic.testing;

import static org.junit.jupiter.api.Assertions.fail;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Waits for what must happen. The bound is a guard against hangs and judges no speed: no machine that is only busy
 * reaches it.
 */
public final class Deadline {
    /** For waits that take their own time-out. */
    public static final Duration HANG_GUARD = Duration.ofMinutes(5);

    private static final long POLL_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

    private final String what;
    private final Supplier<String> state;
    private final long startNanos = System.nanoTime();

    private Deadline(String what, Supplier<String> state) {
        this.what = what;
        this.state = state;
    }

    /** Something that becomes true. */
    @FunctionalInterface
    public interface Condition {
        /** {@return whether it is true now} */
        boolean holds() throws Exception;
    }

    /** Polls until {@code condition} holds; fails with {@code what} did not happen. */
    public static void await(String what, Condition condition) throws Exception {
        await(what, () -> "", condition);
    }

    /**
     * Polls until {@code condition} holds; fails with {@code what} did not happen, and the {@code state} at that
     * moment.
     */
    public static void await(String what, Supplier<String> state, Condition condition) throws Exception {
        Deadline deadline = new Deadline(what, state);
        while (!condition.holds()) {
            deadline.check();
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    /** {@return a guard for a loop that must not park between its turns: it calls {@link #check} in each} */
    public static Deadline of(String what, Supplier<String> state) {
        return new Deadline(what, state);
    }

    /** Fails if the loop has run for longer than {@link #HANG_GUARD}. */
    public void check() {
        if (System.nanoTime() - startNanos > HANG_GUARD.toNanos()) {
            fail(what + " did not happen within the hang guard of " + HANG_GUARD.toMinutes() + " min; " + state.get());
        }
    }
}
