package io.weir.nic.testing;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.nic.host.PollWaiter;
import java.util.concurrent.TimeUnit;

/** Finds out whether something ends the sleeps of a {@link PollWaiter}. */
public final class Sleeps {
    /** Longer than a wake-up takes, and shorter than the longest sleep. */
    public static final long LONG_NANOS = TimeUnit.MILLISECONDS.toNanos(900);
    /**
     * How many sleeps there are: a busy machine may have the thread wait for its core after one of them, or several.
     */
    public static final int COUNT = 10;

    private Sleeps() {}

    /** Calls {@link PollWaiter#await} {@link #COUNT} times; fails if even the shortest call took the whole time. */
    public static void requireCutShort(PollWaiter waiter) {
        long shortestNanos = Long.MAX_VALUE;
        for (int i = 0; i < COUNT; i++) {
            long startNanos = System.nanoTime();
            waiter.await(LONG_NANOS);
            shortestNanos = Math.min(shortestNanos, System.nanoTime() - startNanos);
        }
        assertTrue(
                shortestNanos < LONG_NANOS, "slept through what should have ended the sleep: " + shortestNanos + " ns");
    }
}
