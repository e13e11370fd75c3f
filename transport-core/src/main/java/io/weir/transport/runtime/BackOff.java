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
    private long idleSinceNanos = -1;

    BackOff(NodeAgent agent, LoopTasks tasks, Waiter waiter, LongSupplier clock, CycleMonitor monitor) {
        this.agent = agent;
        this.tasks = tasks;
        this.waiter = waiter;
        this.clock = clock;
        this.monitor = monitor;
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
        if (nowNanos - idleSinceNanos < POLL_NANOS) {
            Thread.yield();
        } else {
            sleep(nowNanos);
        }
    }

    private void sleep(long nowNanos) {
        long sleepNanos = Math.min(SLEEP_NANOS_MAX, agent.nextDeadlineNanos() - nowNanos);
        if (sleepNanos < SLEEP_NANOS_MIN) {
            Thread.yield();
            return;
        }
        if (tasks.isEmpty()) {
            waiter.await(sleepNanos);
            monitor.onWoken(clock.getAsLong());
        }
        reset();
    }

    @Override
    public void reset() {
        idleSinceNanos = -1;
    }
}
