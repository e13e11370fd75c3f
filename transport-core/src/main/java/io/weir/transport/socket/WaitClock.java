package io.weir.transport.socket;

import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/** The time by which blocking calls wait, and how a thread that waits sleeps. */
interface WaitClock {
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
        };
    }

    /** {@return the time, as by {@link System#nanoTime}: only differences mean something} */
    long nanoTime();

    /** Sleeps until it is unparked, or the time is over, or earlier. */
    void park(Object blocker, long nanos);
}
