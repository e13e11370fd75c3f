package io.weir.transport.runtime;

import java.util.function.LongSupplier;
import org.agrona.concurrent.IdleStrategy;

/**
 * Polls for a while after the last work, yielding the core between polls, and then sleeps until a frame, a wake-up or
 * the next deadline. A deadline too near to sleep for is polled for. A loop that wakes from a long sleep and finds
 * nothing to do sleeps at once.
 *
 * <p>A loop that always has work yields too, now and then: to another loop on its core. The scheduler would let that
 * one wait for milliseconds, and its credits expire after one.
 *
 * <p>Polling without yielding is hardly faster where the core has nothing else to do; and where the application that is
 * to answer, or the other end of a link on the same machine, shares the core, nothing can happen until the poller gives
 * way.
 *
 * <p>Where another thread computes on the core, everything is different. A yield gives that thread a whole time slice,
 * milliseconds. So does polling: it uses up the share of the core that the loop needs for its work, and the scheduler
 * takes the core away until the next tick. {@link CoreShare} tells that case from a passing thread. Its first remedy is
 * another core: there may be one where only loops run, and these yield to each other within microseconds. Where every
 * core is taken the loop neither yields nor polls for a while. It sleeps when it has little to do, for some tens of
 * microseconds while something is due, so that what is due comes in batches. A frame ends each sleep: an answer that
 * waited for a timer would cost more than all the rest of its round trip. A thread that has used less than its share
 * gets the core at once when it wakes.
 */
@SuppressWarnings("ThreadPriorityCheck") // a yield is intended
final class BackOff implements IdleStrategy {
    private static final long POLL_NANOS = 100_000;
    /** So often a loop with work yields: a third of the time after which a credit expires. */
    static final long TURN_NANOS = 300_000;
    /** A pause from which on another thread must have had the core: long cycles and interrupts take less. */
    private static final long LOST_NANOS_MIN = 1_000_000;
    /** With the time that waking takes, what links and pacers make up for anyway. */
    private static final long REST_NANOS = 40_000;
    /** Work of a cycle from which on resting would only delay the rest of a burst. */
    private static final int BURST_WORK_MIN = 8;
    /** A sleep shorter than this would wake late. */
    private static final long SLEEP_NANOS_MIN = 10_000;
    /** A failed port is noticed by polling it. */
    private static final long SLEEP_NANOS_MAX = 1_000_000_000;
    /** Code and data that were not used for so long are cold: a cycle takes milliseconds on a slow machine. */
    private static final long COLD_NANOS_MIN = 10_000_000;
    /** Cycles after which they are warm again. What these take is no sign of another thread. */
    private static final int COLD_CYCLES = 4;

    private final NodeAgent agent;
    private final LoopTasks tasks;
    private final LoopSleep loopSleep;
    private final LongSupplier clock;
    private final CycleMonitor monitor;
    private final CycleLock cycleLock;
    private final CoreShare coreShare = new CoreShare();
    /** When the first of the latest cycles without work began, or -1 after work. */
    private long idleSinceNanos = -1;
    /** When the thread yielded last, or woke. Others' turns count too: one cycle does what came meanwhile. */
    private long yieldedNanos;
    /** How long this thread may sleep at most, for what it waits for besides the loop. */
    private long sleepNanosMax = SLEEP_NANOS_MAX;
    /** Moves the thread to another core; set before the loop starts, where the thread is the loop's own. */
    private Runnable leaveCpu = () -> {};
    /** Lets another thread of this core run; {@link Thread#yield} but in tests. */
    private Runnable yielding = Thread::yield;
    /** {@link CycleMonitor#stallNanos} when it was looked at last. */
    private long seenStallNanos;
    /** Cycles until the code is warm, 0 to {@link #COLD_CYCLES}; this thread's. */
    private int cyclesUntilWarm;

    BackOff(
            NodeAgent agent,
            LoopTasks tasks,
            LoopSleep loopSleep,
            LongSupplier clock,
            CycleMonitor monitor,
            CycleLock cycleLock) {
        this.agent = agent;
        this.tasks = tasks;
        this.loopSleep = loopSleep;
        this.clock = clock;
        this.monitor = monitor;
        this.cycleLock = cycleLock;
    }

    /** Sets how the thread that idles moves to another core; without it, it stays where the scheduler puts it. */
    void setLeaveCpu(Runnable value) {
        leaveCpu = value;
    }

    /** Sets what yields the core, for tests. */
    void setYielding(Runnable value) {
        yielding = value;
    }

    @Override
    public void idle(int workCount) {
        if (standBy()) {
            return;
        }
        if (workCount == 0) {
            noticeLosses();
            idle();
            return;
        }
        reset();
        if (!restIfCrowded(workCount)) {
            takeTurns();
        }
    }

    private void takeTurns() {
        long nowNanos = agent.nowNanos();
        if (nowNanos - yieldedNanos >= TURN_NANOS && !coreShare.isCrowded(nowNanos)) {
            giveWay(nowNanos);
        }
    }

    private void giveWay(long nowNanos) {
        yieldedNanos = nowNanos;
        yielding.run();
    }

    /** As {@link #idle(int)}, for a thread that looks at something else after {@code nanosMax} at the latest. */
    void idleAtMost(int workCount, long nanosMax) {
        sleepNanosMax = Math.min(SLEEP_NANOS_MAX, nanosMax);
        try {
            idle(workCount);
        } finally {
            sleepNanosMax = SLEEP_NANOS_MAX;
        }
    }

    @Override
    public void idle() {
        long nowNanos = agent.nowNanos();
        boolean isFirst = idleSinceNanos < 0;
        if (isFirst) {
            idleSinceNanos = nowNanos;
        }
        if (coreShare.isCrowded(nowNanos)) {
            if (isFirst && isDueSoon(nowNanos)) {
                rest(nowNanos);
            } else {
                sleep(nowNanos);
            }
        } else if (nowNanos - idleSinceNanos >= POLL_NANOS) {
            sleep(nowNanos);
        } else {
            giveWay(nowNanos);
        }
    }

    /** {@return whether something is due within a rest, as it may be while another thread runs the loop} */
    private boolean isDueSoon(long nowNanos) {
        if (!cycleLock.tryTake()) {
            return true;
        }
        boolean isDue = agent.nextDeadlineNanos(cycleLock) - nowNanos < REST_NANOS;
        cycleLock.leave();
        return isDue;
    }

    /**
     * {@return whether the core is shared and there was little to do, so that the thread has rested} For loops that
     * share a thread.
     */
    boolean restIfCrowded(int workCount) {
        noticeLosses();
        boolean isDue = workCount < BURST_WORK_MIN && coreShare.isCrowded(agent.nowNanos());
        if (isDue) {
            rest(agent.nowNanos());
        }
        return isDue;
    }

    private void noticeLosses() {
        long lostNanos = monitor.stallNanos() - seenStallNanos;
        seenStallNanos += lostNanos;
        if (cyclesUntilWarm > 0) {
            cyclesUntilWarm--;
            return;
        }
        if (lostNanos >= LOST_NANOS_MIN && coreShare.onLost(lostNanos, agent.nowNanos())) {
            leaveCpu.run();
        }
    }

    /** Leaves the core until a frame comes, a little at most, so that some of its share is left when it is needed. */
    private void rest(long nowNanos) {
        if (!tasks.isEmpty()) {
            return;
        }
        loopSleep.await(REST_NANOS);
        if (cycleLock.tryTake()) {
            monitor.onRested(nowNanos + REST_NANOS, clock.getAsLong());
            cycleLock.leave();
        }
    }

    private void sleep(long nowNanos) {
        long sleepNanos = prepareSleep(nowNanos, sleepNanosMax);
        if (sleepNanos == 0) {
            if (coreShare.isCrowded(nowNanos)) {
                rest(nowNanos);
            } else {
                giveWay(nowNanos);
            }
            return;
        }
        loopSleep.await(sleepNanos);
        onAwake(nowNanos, sleepNanos);
    }

    /** {@return whether the thread has slept, since helpers run the loop} */
    private boolean standBy() {
        long startNanos = agent.nowNanos();
        long sliceNanos = loopSleep.standByNanos(startNanos);
        if (sliceNanos == 0 || !tasks.isEmpty()) {
            return false;
        }
        loopSleep.standBy(sliceNanos);
        long nowNanos = clock.getAsLong();
        loopSleep.onStoodBy(nowNanos - startNanos < sliceNanos, startNanos, agent.nowNanos(), nowNanos);
        if (cycleLock.tryTake()) {
            monitor.onRested(startNanos + sliceNanos, nowNanos);
            cycleLock.leave();
        }
        reset();
        return true;
    }

    private void onAwake(long nowNanos, long sleepNanos) {
        loopSleep.setAwake();
        if (cycleLock.tryTake()) {
            // Waking later than asked is time off the core.
            long wokenNanos = Math.min(clock.getAsLong(), nowNanos + sleepNanos);
            monitor.onWoken(wokenNanos);
            yieldedNanos = wokenNanos;
            coreShare.onSlept(wokenNanos - nowNanos);
            cycleLock.leave();
            if (wokenNanos - nowNanos >= COLD_NANOS_MIN) {
                cyclesUntilWarm = COLD_CYCLES;
                // One look at the port was what it woke for, unless that finds work.
                idleSinceNanos = wokenNanos - POLL_NANOS;
                return;
            }
        }
        reset();
    }

    /** {@return how long to sleep, or 0 not to; a thread that runs the loop from now on wakes this one after work} */
    private long prepareSleep(long nowNanos, long nanosMax) {
        if (!cycleLock.tryTake()) {
            return 0;
        }
        long sleepNanos = Math.min(nanosMax, agent.nextDeadlineNanos(cycleLock) - nowNanos);
        boolean maySleep = sleepNanos >= SLEEP_NANOS_MIN && tasks.isEmpty();
        if (maySleep) {
            loopSleep.setAsleep(nowNanos + sleepNanos);
            monitor.onUnattended(nowNanos + sleepNanos);
        }
        cycleLock.leave();
        return maySleep ? sleepNanos : 0;
    }

    @Override
    public void reset() {
        idleSinceNanos = -1;
    }
}
