package io.weir.nic.socket;

import io.weir.nic.testing.ForwardingInterface;
import io.weir.transport.runtime.NetInterface;
import io.weir.transport.runtime.Waiter;
import java.io.IOException;

/** An interface that counts the sleeps of the loop it is given to. The loop's thread writes, any thread reads. */
final class SleepLog extends ForwardingInterface {
    /** Sleeps that are over; the loop's thread alone writes. */
    private volatile long count;
    /** How long those sleeps were by the clock, with the time until the thread had its core again. */
    private volatile long nanos;

    private volatile boolean isAsleep;

    SleepLog(NetInterface inner) {
        super(inner);
    }

    long count() {
        return count;
    }

    long nanos() {
        return nanos;
    }

    boolean isAsleep() {
        return isAsleep;
    }

    @Override
    public String toString() {
        return count + " in " + nanos + " ns" + (isAsleep ? ", asleep" : ", awake");
    }

    @Override
    public Waiter newWaiter() throws IOException {
        return new LoggedWaiter(super.newWaiter());
    }

    private final class LoggedWaiter implements Waiter {
        private final Waiter waiter;

        LoggedWaiter(Waiter waiter) {
            this.waiter = waiter;
        }

        @Override
        public void await(long timeoutNanos) {
            long startNanos = System.nanoTime();
            isAsleep = true;
            waiter.await(timeoutNanos);
            note(startNanos);
            long countBefore = count;
            count = countBefore + 1;
        }

        private void note(long startNanos) {
            isAsleep = false;
            long nanosBefore = nanos;
            nanos = nanosBefore + System.nanoTime() - startNanos;
        }

        @Override
        public void wake() {
            waiter.wake();
        }

        @Override
        public void close() {
            waiter.close();
        }
    }
}
