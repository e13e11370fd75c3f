package io.weir.transport.runtime;

import java.util.function.LongSupplier;

/**
 * Threads that wait for a loop, and run its cycles meanwhile in place of the thread that the loop has: an answer then
 * reaches them without a change of threads. Only a loop in the default mode lets them; with any other, {@link #help}
 * does nothing.
 */
public final class LoopHelpers {
    private final NodeAgent agent;
    private final LoopTasks tasks;
    private final LoopSleep loopSleep;
    private final Waiter waiter;
    private final CycleLock cycleLock;
    private final CycleMonitor monitor;
    private final LongSupplier clock;
    private final LoopEnding ending;
    /** Whether threads that wait for the loop may run its cycles. Any thread clears it. */
    private volatile boolean isShared;
    /** Whether none of them runs one any more, not even one that has begun. Set by any thread, never cleared. */
    private volatile boolean isSharingOver;
    /** Whether the cycle that goes on is a helper's. With the cycle lock. */
    private boolean isHelping;
    /** Work that helpers did since the last cycle of the loop's own thread. With the cycle lock. */
    private int helpedWork;

    LoopHelpers(
            NodeAgent agent,
            LoopTasks tasks,
            LoopSleep loopSleep,
            Waiter waiter,
            CycleLock cycleLock,
            CycleMonitor monitor,
            LongSupplier clock,
            LoopEnding ending,
            boolean mayBeShared) {
        this.agent = agent;
        this.tasks = tasks;
        this.loopSleep = loopSleep;
        this.waiter = waiter;
        this.cycleLock = cycleLock;
        this.monitor = monitor;
        this.clock = clock;
        this.ending = ending;
        this.isShared = mayBeShared;
        this.isSharingOver = !mayBeShared;
    }

    /**
     * The calling thread waits for the loop, and will run its cycles by {@link #help} until {@link #leave}. The loop's
     * own thread may sleep meanwhile.
     */
    public void enter() {
        loopSleep.enter();
    }

    /** The calling thread runs no more cycles, since it has what it waited for. */
    public void leave() {
        loopSleep.leave();
    }

    /** The calling thread runs no more cycles, since it is about to sleep. */
    public void leaveToSleep() {
        leave();
        if (loopSleep.isStandingByForNobody()) {
            waiter.wake();
        }
    }

    /**
     * Runs one cycle on the calling thread, which waits for the loop, unless another thread is running one.
     *
     * @return the work done
     */
    public int help() {
        if (!isShared || !cycleLock.tryTake()) {
            return 0;
        }
        int work = 0;
        try {
            // After a fault the state is not to be touched; after closing the cycle lock is never free. Sharing may
            // have ended since it was looked at above.
            if (ending.failure() == null && isShared) {
                isHelping = true;
                work = runCycle();
            }
        } catch (Throwable e) {
            // The loop's own thread ends the loop; the caller learns of it by what it waits for.
            ending.fail(e);
            waiter.wake();
        } finally {
            isHelping = false;
            cycleLock.leave();
        }
        if (work > 0 && loopSleep.isAsleep() && !isOwnerInTime()) {
            // There is a deadline now that it does not know of.
            waiter.wake();
        }
        return work;
    }

    private int runCycle() {
        if (loopSleep.takeAbsence()) {
            long nowNanos = clock.getAsLong();
            monitor.onRested(nowNanos, nowNanos);
        }
        long unattendedUntilNanos = monitor.unattendedUntilNanos();
        int work = agent.doWork();
        if (work == 0) {
            // Nothing has changed. While the loop's thread sleeps, still nobody need run a cycle until then.
            monitor.onUnattended(unattendedUntilNanos);
        }
        helpedWork += work;
        loopSleep.noteWork(work, agent.nowNanos());
        return work;
    }

    /** {@return whether the loop's thread, which sleeps, wakes before there is something to do} */
    private boolean isOwnerInTime() {
        if (!cycleLock.tryTake()) {
            return false;
        }
        long untilNanos = loopSleep.asleepUntilNanos();
        boolean isInTime = tasks.isEmpty() && agent.nextDeadlineNanos(cycleLock) >= untilNanos;
        if (isInTime) {
            monitor.onUnattended(untilNanos);
        }
        cycleLock.leave();
        return isInTime;
    }

    /** {@return whether a thread that waits would run the next cycle, since the loop's own thread sleeps} */
    boolean isWelcome() {
        return isShared && loopSleep.isOwnerAway();
    }

    /** {@return the work that helpers did since the last call} With the cycle lock. */
    int takeWork() {
        int work = helpedWork;
        helpedWork = 0;
        return work;
    }

    /**
     * From the next cycle on only the loop's own thread runs them, and with them handlers. It waits for the end of a
     * helper's cycle that is going on, unless that calls it. Any thread may call.
     */
    public void stopSharing() {
        if (isSharingOver) {
            return;
        }
        isShared = false;
        boolean hasEnded = cycleLock.awaitLeave();
        loopSleep.refuseHelp();
        // Within a helper's cycle that one is still to end.
        isSharingOver = hasEnded || !isHelping;
    }
}
