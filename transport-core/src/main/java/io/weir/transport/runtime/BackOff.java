package io.weir.transport.runtime;

import java.util.function.LongSupplier;
import org.agrona.concurrent.IdleStrategy;

/**
 * Polls for a while after the last work, first hot, then yielding the core between polls, and then sleeps until a frame, a
 * wake-up or the next deadline. A deadline too near to sleep for is polled for.
 *
 * <p>Yielding lets an application on the same core run at once. To whoever computes there it gives a whole time slice,
 * milliseconds, while a thread that sleeps is let in as soon as it wakes: after a yield that took that long, none is tried
 * for a while.
 */
@SuppressWarnings("ThreadPriorityCheck") // that is what yielding is for
final class BackOff implements IdleStrategy {
    private static final long SPIN_NANOS = 20_000;
    private static final long YIELD_NANOS = 60_000;
    private static final long YIELD_COST_NANOS_MAX = 200_000;
    private static final long YIELD_AGAIN_NANOS = 1_000_000_000;
    /** A sleep shorter than this would wake late. */
    private static final long SLEEP_NANOS_MIN = 10_000;
    /** A failed port is noticed by polling it. */
    private static final long SLEEP_NANOS_MAX = 500_000_000;

    private final NodeAgent agent;
    private final LoopTasks tasks;
    private final Waiter waiter;
    private final LongSupplier clock;
    private final CycleMonitor monitor;
    private long idleSinceNanos = -1;
    private long yieldFromNanos;

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
        long idleNanos = nowNanos - idleSinceNanos;
        if (idleNanos < SPIN_NANOS) {
            Thread.onSpinWait();
        } else if (idleNanos < YIELD_NANOS && nowNanos >= yieldFromNanos) {
            yieldCore(nowNanos);
        } else {
            sleep(nowNanos);
        }
    }

    private void yieldCore(long nowNanos) {
        Thread.yield();
        long afterNanos = clock.getAsLong();
        if (afterNanos - nowNanos > YIELD_COST_NANOS_MAX) {
            yieldFromNanos = afterNanos + YIELD_AGAIN_NANOS;
        }
    }

    private void sleep(long nowNanos) {
        long sleepNanos = Math.min(SLEEP_NANOS_MAX, agent.nextDeadlineNanos() - nowNanos);
        if (sleepNanos < SLEEP_NANOS_MIN) {
            Thread.onSpinWait();
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
