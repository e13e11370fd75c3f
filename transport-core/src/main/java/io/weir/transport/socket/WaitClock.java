package io.weir.transport.socket;

import io.weir.transport.runtime.OwnTimeLimit;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/** The time by which blocking calls wait, and how a thread that waits sleeps. */
interface WaitClock {
    /** What counts as waiting for as long as it takes: far from where sums with a time would overflow. */
    long NO_TIMEOUT_NANOS = Long.MAX_VALUE / 4;

    /** The machine's. */
    WaitClock SYSTEM = new WaitClock() {
        @Override
        public long nanoTime() {
            return System.nanoTime();
        }

        @Override
        public void park(Object blocker, long nanos) {
            LockSupport.parkNanos(blocker, nanos);
        }

        @Override
        public OwnTimeLimit limit(long nanos) {
            return OwnTimeLimit.ofNanos(nanos);
        }
    };

    /** {@return a time that the application has} A thread that sleeps looks at it each millisecond of the machine's. */
    static WaitClock of(LongSupplier clock) {
        return new WaitClock() {
            private static final long LOOK_NANOS = 1_000_000;

            @Override
            public long nanoTime() {
                return clock.getAsLong();
            }

            @Override
            public void park(Object blocker, long nanos) {
                LockSupport.parkNanos(blocker, Math.min(nanos, LOOK_NANOS));
            }

            @Override
            public OwnTimeLimit limit(long nanos) {
                return OwnTimeLimit.ofNanos(nanos, clock);
            }
        };
    }

    /** {@return how long a time-out lasts that the application gives, where zero is none} */
    static long timeoutNanos(Duration timeout) {
        Objects.requireNonNull(timeout, "timeout is null; give Duration.ZERO for none");
        if (timeout.isNegative()) {
            throw new IllegalArgumentException(
                    "timeout=" + timeout + " is negative; give more than zero, or zero for none");
        }
        return timeout.isZero() ? NO_TIMEOUT_NANOS : nanosOf(timeout);
    }

    /** {@return how long it lasts} Longer ones than 73 years count as that. */
    static long nanosOf(Duration duration) {
        return duration.toSeconds() >= NO_TIMEOUT_NANOS / 1_000_000_000L ? NO_TIMEOUT_NANOS : duration.toNanos();
    }

    /** {@return the time, as by {@link System#nanoTime}: only differences mean something} */
    long nanoTime();

    /** Sleeps until it is unparked, or the time is over, or earlier. */
    void park(Object blocker, long nanos);

    /** {@return a limit of so much time that this process had, or of the application's time; it begins now} */
    OwnTimeLimit limit(long nanos);
}
