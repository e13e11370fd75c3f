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
 * more.
 */
@SuppressWarnings("ThreadPriorityCheck") // that is what yielding is for
final class BackOff implements IdleStrategy {
    private static final long POLL_NANOS = 100_000;
    private static final long POLL_NANOS_CROWDED = 20_000;
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
        boolean isCrowded = nowNanos < yieldFromNanos;
        if (nowNanos - idleSinceNanos >= (isCrowded ? POLL_NANOS_CROWDED : POLL_NANOS)) {
            sleep(nowNanos);
        } else if (isCrowded) {
            Thread.onSpinWait();
        } else {
            yieldCore(nowNanos);
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
