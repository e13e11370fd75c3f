package io.weir.transport.runtime;

import java.util.function.LongSupplier;
import org.agrona.concurrent.IdleStrategy;

/**
 * Polls for a while after the last work, yielding the core between polls, and then sleeps until a frame, a wake-up or the next
 * deadline. A deadline too near to sleep for is polled for.
 *
 * <p>Design notes: polling without yielding is hardly faster where the core has nothing else to do, and where it has (the
 * application that is to answer, the other end of a link on the same machine), what is waited for cannot happen until the
 * poller gives way.
 */
@SuppressWarnings("ThreadPriorityCheck") // yielding lets an application on the same core run at once
final class BackOff implements IdleStrategy {
    private static final long POLL_NANOS = 100_000;
    /** A sleep shorter than this would wake late. */
    private static final long SLEEP_NANOS_MIN = 60_000;
    /** A failed port is noticed by polling it. */
    private static final long SLEEP_NANOS_MAX = 500_000_000;

    private final NodeAgent agent;
    private final LoopTasks tasks;
    private final Waiter waiter;
    private final LongSupplier clock;
    private final CycleMonitor monitor;
    private final Seat seat;
    private long idleSinceNanos = -1;

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
        long nowNanos = clock.getAsLong();
        if (idleSinceNanos < 0) {
            idleSinceNanos = nowNanos;
        }
        if (nowNanos - idleSinceNanos < POLL_NANOS) {
            Thread.yield();
        } else {
            sleep(nowNanos);
        }
    }

    private void sleep(long nowNanos) {
        long sleepNanos = prepareSleep(nowNanos);
        if (sleepNanos == 0) {
            Thread.yield();
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
