package io.weir.transport.runtime;

import java.util.function.LongSupplier;
import org.agrona.concurrent.IdleStrategy;

/**
 * Polls for a while after the last work, yielding the core between polls, and then sleeps until a frame, a wake-up or the next
 * deadline. A deadline too near to sleep for is polled for.
 *
 * <p>Polling without yielding is hardly faster where the core has nothing else to do; and where the application that is to
 * answer, or the other end of a link on the same machine, shares the core, nothing can happen until the poller gives way. But
 * to whoever computes on it, a yield gives a whole time slice, milliseconds, while a thread that sleeps is let in soon after
 * it wakes. So after a yield that took that long, the loop polls only shortly before it sleeps, and for a while yields no
 * more: shortly when it was a compiler's thread passing by, longer each time when somebody computes there all the time.
 */
@SuppressWarnings("ThreadPriorityCheck") // that is what yielding is for
final class BackOff implements IdleStrategy {
    private static final long POLL_NANOS = 100_000;
    private static final long POLL_NANOS_CROWDED = 20_000;
    private static final long YIELD_COST_NANOS_MAX = 200_000;
    private static final long YIELD_AGAIN_NANOS_MIN = 10_000_000;
    private static final long YIELD_AGAIN_NANOS_MAX = 1_000_000_000;
    /** A sleep shorter than this would wake late. */
    private static final long SLEEP_NANOS_MIN = 10_000;
    /** A failed port is noticed by polling it. */
    private static final long SLEEP_NANOS_MAX = 500_000_000;

    private final NodeAgent agent;
    private final LoopTasks tasks;
    private final Waiter waiter;
    private final LongSupplier clock;
    private final CycleMonitor monitor;
    private final Seat seat;
    private long idleSinceNanos = -1;
    private long yieldFromNanos;
    private long yieldAgainNanos = YIELD_AGAIN_NANOS_MIN;

    BackOff(NodeAgent agent, LoopTasks tasks, Waiter waiter, LongSupplier clock, CycleMonitor monitor, Seat seat) {
        this.agent = agent;
        this.tasks = tasks;
        this.waiter = waiter;
        this.clock = clock;
        this.monitor = monitor;
        this.seat = seat;
    }

    @Override
    public void idle(int workCount) {
        if (workCount > 0) {
            reset();
        } else {
            idle();
        }
    }

    @Override
    public void idle() {
        long nowNanos = agent.nowNanos();
        if (idleSinceNanos < 0) {
            idleSinceNanos = nowNanos;
        }
        if (nowNanos - idleSinceNanos >= (isCrowded(nowNanos) ? POLL_NANOS_CROWDED : POLL_NANOS)) {
            sleep(nowNanos);
        } else {
            poll(nowNanos);
        }
    }

    private boolean isCrowded(long nowNanos) {
        return nowNanos < yieldFromNanos;
    }

    private void poll(long nowNanos) {
        if (isCrowded(nowNanos)) {
            Thread.onSpinWait();
        } else {
            yieldCore(nowNanos);
        }
    }

    private void yieldCore(long nowNanos) {
        Thread.yield();
        long afterNanos = clock.getAsLong();
        if (afterNanos - nowNanos > YIELD_COST_NANOS_MAX) {
            yieldFromNanos = afterNanos + yieldAgainNanos;
            yieldAgainNanos = Math.min(YIELD_AGAIN_NANOS_MAX, 2 * yieldAgainNanos);
        } else if (afterNanos - yieldFromNanos > yieldAgainNanos) {
            // Yields have been cheap for longer than there were none.
            yieldAgainNanos = YIELD_AGAIN_NANOS_MIN;
        }
    }

    private void sleep(long nowNanos) {
        long sleepNanos = prepareSleep(nowNanos);
        if (sleepNanos == 0) {
            poll(nowNanos);
            return;
        }
        waiter.await(sleepNanos);
        seat.setOwnerAsleep(false);
        if (seat.tryTake()) {
            monitor.onWoken(clock.getAsLong());
            seat.leave();
        }
        reset();
    }

    /** {@return how long to sleep, or 0 not to; whoever runs the loop from now on wakes this thread after work} */
    private long prepareSleep(long nowNanos) {
        if (!seat.tryTake()) {
            return 0;
        }
        long sleepNanos = Math.min(SLEEP_NANOS_MAX, agent.nextDeadlineNanos() - nowNanos);
        boolean maySleep = sleepNanos >= SLEEP_NANOS_MIN && tasks.isEmpty();
        seat.setOwnerAsleep(maySleep);
        seat.leave();
        return maySleep ? sleepNanos : 0;
    }

    @Override
    public void reset() {
        idleSinceNanos = -1;
    }
}
