package io.weir.transport.runtime;

import io.weir.transport.node.NetPort;
import io.weir.transport.node.Node;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.agrona.concurrent.BusySpinIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Drives Nodes over real ports with the real clock, on its own thread or on the application's. It owns its ports
 * and closes them.
 *
 * <p>In the default mode a thread that waits for the loop may run it meanwhile, as one of its {@link #helpers}: an
 * answer then reaches it without a change of threads, which on a busy core costs more than all the rest. An application
 * whose handlers count on the loop's own thread says so by {@link LoopHelpers#stopSharing}.
 *
 * <p>Whatever a cycle throws, an {@link Error} too, ends the loop in order, because state that was half changed cannot
 * be trusted: its Nodes are stopped, its ports closed, and the tasks that it did not run are told. A task that throws
 * an exception costs nobody else anything; one that throws an error of the virtual machine ends the loop.
 */
@SuppressWarnings("ThreadPriorityCheck") // see CycleLock
public final class EventLoop implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EventLoop.class);
    private static final long CLOSE_NANOS_MAX = 5_000_000_000L;
    private static final long EXECUTE_NANOS_MAX = 5_000_000_000L;
    private static final long PROBE_NANOS = 100_000_000;
    /** How often the loop reports, at most: it does not wake to do so. */
    private static final long REPORT_NANOS = 900_000_000;

    private final String name;
    private final Waiter waiter;
    private final LoopSleep loopSleep;
    private final LoopTasks tasks = new LoopTasks(this::onTaskFault);
    private final CycleLock cycleLock = new CycleLock();
    private final CycleMonitor monitor = new CycleMonitor(CycleMonitor.PAUSE_NANOS_MIN, CycleMonitor.GAP_NANOS_MIN);
    private final NodeAgent agent;
    private final LoopEnding ending;
    private final LoopHelpers helpers;
    private final IdleMode idleMode;
    private final IdleStrategy idle;
    /** Null in busy-spin mode. */
    private final BackOff backOff;

    private final boolean mayBeShared;
    private final LongSupplier clock;
    private final LoopThreadScheduling scheduling;
    /** Is told what tasks throw; set before the loop starts. */
    private Consumer<Throwable> taskFaults = this::logTaskFault;
    /** Whether the loop has its own thread; written by {@link #start}. */
    private boolean hasThread;
    /** Whose loop it is: its own thread, or the invoker's. */
    private volatile Thread thread;
    /** Why a port moved no more frames when the ports were asked last, or null. With the cycle lock. */
    private String loggedFailure;
    /** Whether a port that fails is no news; set once, by any thread. */
    private volatile boolean isPortEndExpected;
    /** Whether an invoker's cycle goes on, so that its time stands still. With the cycle lock. */
    private boolean isCycling;
    /** Whether a thread runs an invoker's last cycles, perhaps not the invoker. */
    private volatile boolean isClosing;
    /** What is told now and then how the loop fares; set before the loop starts. */
    private LoopReport report = (monitor, nowNanos) -> {};
    /** When that is next. With the cycle lock. */
    private long reportNanos;

    /** When the ports are asked next whether they failed, for the log. With the cycle lock. */
    private long probeNanos;

    /**
     * Creates a loop that does not run yet.
     *
     * @param waiter how the thread sleeps; the loop closes it
     * @param onStop runs on the loop's thread when it ends, before the ports are closed
     */
    public EventLoop(String name, List<NodeBinding> bindings, IdleMode idleMode, Waiter waiter, Runnable onStop) {
        this(name, bindings, idleMode, waiter, onStop, machineClock());
    }

    /** Creates a loop that shares its clock with others: their times can be compared. */
    public EventLoop(
            String name,
            List<NodeBinding> bindings,
            IdleMode idleMode,
            Waiter waiter,
            Runnable onStop,
            LongSupplier machineClock) {
        this(name, bindings, idleMode, waiter, onStop, machineClock, true);
    }

    /** {@return a loop that the application runs, by a clock that the application has} */
    public static EventLoop invokedBy(LongSupplier clock, String name, List<NodeBinding> bindings, Runnable onStop) {
        return invokedBy(clock, name, bindings, new ParkWaiter(), onStop);
    }

    /** {@return a loop that the application runs, by a clock and a way to sleep that the application has} */
    public static EventLoop invokedBy(
            LongSupplier clock, String name, List<NodeBinding> bindings, Waiter waiter, Runnable onStop) {
        return new EventLoop(name, bindings, IdleMode.INVOKER, waiter, onStop, clock, false);
    }

    private EventLoop(
            String name,
            List<NodeBinding> bindings,
            IdleMode idleMode,
            Waiter waiter,
            Runnable onStop,
            LongSupplier clock,
            boolean isClockRunning) {
        this.name = name;
        this.scheduling = new LoopThreadScheduling(name);
        this.idleMode = idleMode;
        this.waiter = waiter;
        this.mayBeShared = idleMode == IdleMode.BACK_OFF;
        this.loopSleep = new LoopSleep(waiter, mayBeShared);
        this.clock = clock;
        List<NodeBinding> driven = List.copyOf(bindings);
        this.agent = new NodeAgent(name, driven, clock, isClockRunning, tasks, monitor);
        this.backOff =
                idleMode == IdleMode.BUSY_SPIN ? null : new BackOff(agent, tasks, loopSleep, clock, monitor, cycleLock);
        this.idle = backOff == null ? BusySpinIdleStrategy.INSTANCE : backOff;
        this.ending = new LoopEnding(name, driven, onStop, tasks, cycleLock, waiter);
        this.helpers = new LoopHelpers(agent, tasks, loopSleep, waiter, cycleLock, monitor, clock, ending, mayBeShared);
    }

    /** Sets what the loop's own thread asks the scheduler for; before {@link #start}. */
    public void setScheduling(SchedulingConfig value) {
        scheduling.setWanted(value);
    }

    /** Sets who is told what tasks throw, on the loop's thread, in place of the log; before {@link #start}. */
    public void setTaskFaultListener(Consumer<Throwable> listener) {
        taskFaults = listener;
    }

    /**
     * Sets what is told about once a second how the loop fares, within a cycle, on whatever thread runs it; before
     * {@link #start}. A loop that sleeps does not wake for it.
     */
    public void setReport(LoopReport value) {
        report = value;
    }

    /**
     * Sets who is told of each pause of a millisecond or more, in nanoseconds, within the cycle after it; before {@link
     * #start}.
     */
    public void setPauseListener(LongConsumer listener) {
        monitor.setPauseListener(listener);
    }

    /**
     * From now on a port that fails is expected to, and no warning is logged: for those who end both ends of a link,
     * one after the other. Any thread.
     */
    public void expectPortEnd() {
        isPortEndExpected = true;
    }

    /** {@return the machine's clock, from 0 on} */
    public static LongSupplier machineClock() {
        long epochNanos = System.nanoTime();
        return () -> System.nanoTime() - epochNanos;
    }

    /** Starts the loop's thread; in invoker mode, makes the calling thread the loop's. */
    public void start() {
        if (idleMode == IdleMode.INVOKER) {
            thread = Thread.currentThread();
            scheduling.leaveInvoker();
            return;
        }
        Thread loopThread = new Thread(this::run, name);
        loopThread.setDaemon(true);
        thread = loopThread;
        hasThread = true;
        try {
            loopThread.start();
        } catch (Throwable e) {
            hasThread = false;
            throw e;
        }
    }

    /** The loop's own thread. An interrupt does not end it. */
    private void run() {
        try {
            RealTimeRest rest = new RealTimeRest(idle, this::noteRest);
            IdleStrategy strategy = scheduling.isRealTimeWanted() ? rest : idle;
            ThreadTuning tuning = ThreadTuning.find();
            if (ask(tuning).isRealTime()) {
                rest.turnOn();
            } else if (backOff != null) {
                backOff.setLeaveCpu(tuning::leaveCpu);
            }
            while (!ending.isClosed() && ending.failure() == null) {
                int work = runCycleOfOwner();
                if (work == 0) {
                    // Left alone, it would end every sleep at once.
                    Thread.interrupted();
                }
                strategy.idle(work);
            }
        } catch (Throwable e) {
            ending.fail(e);
        } finally {
            stop();
        }
    }

    private int runCycleOfOwner() {
        if (!mayBeShared) {
            return runCycle();
        }
        if (!cycleLock.tryTake()) {
            // A thread that waits for the loop is at it.
            Thread.yield();
            return 1;
        }
        try {
            return runCycle();
        } finally {
            cycleLock.leave();
        }
    }

    private int runCycle() {
        if (ending.failure() != null) {
            return 0;
        }
        int ownWork = agent.doWork();
        loopSleep.noteWork(ownWork, agent.nowNanos());
        int work = ownWork + helpers.takeWork();
        if (agent.nowNanos() >= probeNanos) {
            probeNanos = agent.nowNanos() + PROBE_NANOS;
            probePorts();
            if (agent.nowNanos() >= reportNanos) {
                reportNanos = agent.nowNanos() + REPORT_NANOS;
                report.onReport(monitor, agent.nowNanos());
            }
        }
        return work;
    }

    private void probePorts() {
        String found = agent.portFailure();
        if (found != null && loggedFailure == null && !isPortEndExpected) {
            LOG.warn("loop={} portFailure=\"{}\"", name, found);
        }
        loggedFailure = found;
    }

    /**
     * Makes the calling thread the loop's: for an application in invoker mode that hands the loop to another thread.
     *
     * @throws IllegalStateException while another thread runs a cycle
     */
    public void adopt() {
        requireInvoker();
        if (!cycleLock.isMine()) {
            requireFree(cycleLock.tryTake());
            thread = Thread.currentThread();
            cycleLock.leave();
        }
    }

    /**
     * Asks the machine's scheduler for what {@link #setScheduling} named, but for the real-time class, and lets the
     * loop move to another core when it loses its own. Invoker mode only, on the loop's thread, which keeps these
     * settings: for an application whose thread does little else than run this loop.
     */
    public void tuneThread() {
        requireInvoker();
        ThreadTuning tuning = ThreadTuning.find();
        scheduling.tuneInvoker(tuning);
        backOff.setLeaveCpu(tuning::leaveCpu);
    }

    private void requireFree(boolean isFree) {
        if (!isFree) {
            throw new IllegalStateException("loop " + name + (cycleLock.isRetired() ? " has ended" : " is in a cycle")
                    + "; one thread at a time runs it, and not from within");
        }
    }

    /**
     * {@return the work done in one cycle, 0 once the loop is closed; invoker mode only, on the loop's thread} What a
     * cycle throws ends the loop, and reaches the caller.
     *
     * @throws IllegalStateException from within a cycle, on a thread that is not the loop's, or after a fault
     */
    public int runOnce() {
        requireInvoker();
        Throwable failure = ending.failure();
        if (failure != null) {
            throw new IllegalStateException("loop " + name + " ended by a fault: " + failure, failure);
        }
        if (ending.isClosed()) {
            if (!isInCycle()) {
                // Asked to end by another thread, which does not wait: this is the one that can.
                stop();
            }
            return 0;
        }
        if (thread != null && !isLoopThread()) {
            throw new IllegalStateException("loop " + name + " is the thread " + thread.getName() + "'s and not "
                    + Thread.currentThread().getName() + "'s; call adopt() first");
        }
        boolean isFree = cycleLock.tryTake();
        if (!isFree && !cycleLock.isMine() && (isClosing || ending.isClosed())) {
            return 0;
        }
        requireFree(isFree);
        return runInvoked();
    }

    /** Runs a cycle on the thread that has the cycle lock, and gives it back. */
    private int runInvoked() {
        boolean isWhole = false;
        try {
            isCycling = true;
            int work = runCycle();
            isWhole = true;
            return work;
        } catch (Throwable e) {
            ending.fail(e);
            throw e;
        } finally {
            isCycling = false;
            cycleLock.leave();
            if (ending.isClosed() || !isWhole) {
                ending.request();
                stop();
            }
        }
    }

    /**
     * Runs a cycle, and waits a little if there was nothing to do, for a thread that closes what the loop drives: on
     * whatever thread, unless another one runs a cycle. Invoker mode only.
     *
     * @param nanosMax how long to wait at most
     */
    public void runOnceToClose(long nanosMax) {
        requireInvoker();
        if (ending.isClosed()) {
            return;
        }
        isClosing = true;
        if (cycleLock.tryTake()) {
            int work = runInvoked();
            if (!ending.isClosed()) {
                backOff.idleAtMost(work, nanosMax);
            }
        } else {
            Thread.yield();
        }
    }

    /**
     * {@return the loop's time: that of the cycle inside one, or the clock's for an invoker between two; its thread
     * only}
     */
    public long nowNanos() {
        return isInvoker() && !isCycling ? clock.getAsLong() : agent.nowNanos();
    }

    /** Runs one cycle and, if there was nothing to do, waits as the default mode does; invoker mode only. */
    public void runOnceAndIdle() {
        runOnceAndIdle(Long.MAX_VALUE);
    }

    /** As {@link #runOnceAndIdle()}, and waits no longer than {@code nanosMax}. */
    public void runOnceAndIdle(long nanosMax) {
        int work = runOnce();
        if (!ending.isClosed()) {
            backOff.idleAtMost(work, nanosMax);
        }
    }

    /**
     * Waits as the default mode does after a cycle; invoker mode only, on the loop's thread. For an application that
     * has other work between a cycle and the wait.
     *
     * @param workCount the work of the cycle: after some it waits only where other threads compute on this core
     * @param nanosMax how long to wait at most
     */
    public void idleAfter(int workCount, long nanosMax) {
        requireInvoker();
        if (!ending.isClosed()) {
            backOff.idleAtMost(workCount, nanosMax);
        }
    }

    /**
     * Drives a Node over other ports from now on, which the loop owns; those that are not among them are the caller's.
     * Within a task alone: the Node must have as many ports by then.
     *
     * @param node one that the loop drives
     */
    public void setPorts(Node node, List<NetPort> ports) {
        if (!isInCycle()) {
            throw new IllegalStateException("ports of loop " + name + " change within a task of it alone; use execute");
        }
        agent.setPorts(node, ports);
        ending.setBindings(ending.bindings().stream()
                .map(binding -> binding.node().equals(node) ? new NodeBinding(node, ports) : binding)
                .toList());
    }

    /** Ends the loop's sleep, or its next one. Any thread; no system call while the loop is awake. */
    public void wake() {
        waiter.wake();
    }

    /**
     * Rests a little if other threads compute on this core, as the default mode does; invoker mode only. For a thread
     * that runs several loops, after a round of all of them.
     *
     * @param workCount the work of that round
     * @return whether it has rested
     */
    public boolean restIfCrowded(int workCount) {
        requireInvoker();
        return backOff.restIfCrowded(workCount);
    }

    /**
     * Runs a task now if the calling thread may: it is in a cycle, or is the invoker's between two. What the task
     * throws reaches the caller.
     *
     * @return whether it ran
     */
    public boolean runNow(LoopTask task) {
        if (isInCycle()) {
            task.run(nowNanos());
            return true;
        }
        if (!isInvoker() || !isLoopThread() || ending.isClosed() || !cycleLock.tryTake()) {
            return false;
        }
        try {
            task.run(nowNanos());
        } catch (VirtualMachineError e) {
            ending.request();
            ending.fail(e);
            throw e;
        } finally {
            cycleLock.leave();
            if (ending.isClosed()) {
                stop();
            }
        }
        return true;
    }

    /**
     * {@return whether the calling thread runs a cycle right now: it is in a handler or a task, and must not wait for
     * the loop}
     */
    public boolean isInCycle() {
        return cycleLock.isMine() || (idleMode == IdleMode.BUSY_SPIN && isLoopThread());
    }

    private void requireInvoker() {
        if (idleMode != IdleMode.INVOKER) {
            throw new IllegalStateException("loop " + name + " runs its own thread (" + idleMode
                    + "); only idleMode=INVOKER leaves the cycles to the application");
        }
    }

    /**
     * Asks the loop to do something in its next cycle, whichever thread runs that. Any thread may ask. While 65,536
     * tasks wait it waits for room, 5 s at most of the time that this process has.
     *
     * @throws RejectedExecutionException if the loop has ended, or there is no room for too long, or at all from within
     *     a cycle
     */
    public void execute(LoopTask task) {
        if (!offer(task)) {
            Throwable failure = ending.failure();
            throw new RejectedExecutionException(
                    failure != null
                            ? "loop " + name + " ended by a fault: " + failure
                            : "loop " + name + " is closed; open another",
                    failure);
        }
    }

    /**
     * As {@link #execute}, for tasks that are no loss once the loop has ended.
     *
     * @return whether it has not ended
     */
    public boolean offer(LoopTask task) {
        return offer(task, false);
    }

    /**
     * As {@link #offer}, for a thread that would wait for the loop anyway: while the loop's own thread sleeps, it runs
     * the cycle itself instead of waking that.
     */
    public boolean offerAndHelp(LoopTask task) {
        return offer(task, helpers.isWelcome());
    }

    private boolean offer(LoopTask task, boolean mayHelp) {
        Objects.requireNonNull(task, "task is null; give something to do");
        if (ending.hasStopped()) {
            return false;
        }
        if (!tasks.offer(task) && !awaitRoom(task)) {
            return false;
        }
        if (ending.hasStopped()) {
            // Perhaps too late for the thread that ended the loop. The task is told like all that it did not run.
            tasks.refuseAll(ending.failure());
        }
        if (!mayHelp || helpers.help() == 0) {
            waiter.wake();
        }
        return true;
    }

    /** {@return whether the task has got room before the loop ended} */
    private boolean awaitRoom(LoopTask task) {
        OwnTimeLimit limit = OwnTimeLimit.ofNanos(EXECUTE_NANOS_MAX);
        while (!ending.hasStopped()) {
            if (isInCycle() || limit.leftNanos() == 0) {
                throw new RejectedExecutionException("loop " + name + " has " + LoopTasks.CAPACITY
                        + " tasks to run, the most that it keeps; ask it for less at a time");
            }
            waiter.wake();
            // The loop is behind. Its thread needs the core more than this one.
            Thread.yield();
            if (tasks.offer(task)) {
                return true;
            }
        }
        return false;
    }

    private void onTaskFault(Throwable problem) {
        if (problem instanceof VirtualMachineError error) {
            throw error;
        }
        taskFaults.accept(problem);
    }

    private void logTaskFault(Throwable problem) {
        LOG.warn("loop={} a task failed", name, problem);
    }

    /** {@return whether the calling thread is the loop's} */
    public boolean isLoopThread() {
        return Thread.currentThread() == thread;
    }

    /** {@return the name of the loop, and of its thread} */
    public String name() {
        return name;
    }

    /** {@return whether the application runs the loop} */
    public boolean isInvoker() {
        return idleMode == IdleMode.INVOKER;
    }

    /** {@return whether the loop has been closed} */
    public boolean isClosed() {
        return ending.isClosed();
    }

    /**
     * {@return what the loop's thread got from the scheduler, and what it did not get and why} Waits until it has
     * begun.
     */
    public String scheduling() {
        return scheduling.line();
    }

    private LoopScheduling ask(ThreadTuning tuning) {
        if (scheduling.isRealTimeWanted()) {
            // A thread that waits for the loop would be interrupted in its cycle by the loop's, which cannot go on
            // without it.
            helpers.stopSharing();
        }
        return scheduling.tuneOwnThread(tuning);
    }

    /** The thread slept until now because it had nothing to do. */
    private void noteRest() {
        if (cycleLock.tryTake()) {
            monitor.onWoken(clock.getAsLong());
            cycleLock.leave();
        }
    }

    /** {@return what lets threads that wait for the loop run its cycles} */
    public LoopHelpers helpers() {
        return helpers;
    }

    /** {@return what tells how regularly the loop ran} */
    public CycleMonitor monitor() {
        return monitor;
    }

    /** {@return why the loop ended by itself, or null} */
    public Throwable failure() {
        return ending.failure();
    }

    /**
     * {@return why a port can move no more frames now, or null while all can} Whether or not cycles run; any thread may
     * ask.
     */
    public String portFailure() {
        return agent.portFailure();
    }

    /** Ends the loop after its cycle; on its own thread where it has one, else {@link #close} is still to be called. */
    public void requestClose() {
        ending.request();
        waiter.wake();
    }

    /**
     * Ends the loop and closes its ports. Waits until that is done, for 5 s at most of the time that this process has;
     * from within a cycle it does not wait, and the cycle is the last.
     */
    @Override
    public void close() {
        ending.request();
        waiter.wake();
        if (isInCycle() || endIfExiting()) {
            return;
        }
        if (!hasThread) {
            stop();
        }
        OwnTimeLimit limit = OwnTimeLimit.ofNanos(CLOSE_NANOS_MAX);
        long leftNanos = limit.leftNanos();
        while (!awaitEnd(leftNanos) && leftNanos > 0) {
            leftNanos = limit.leftNanos();
        }
        if (!awaitEnd(0)) {
            LOG.warn("loop={} does not end; a handler or task is in its way: {}", name, thread);
        }
    }

    /**
     * {@return whether the loop has given everything back, within {@code nanos}} An interrupt does not shorten the
     * wait.
     */
    public boolean awaitEnd(long nanos) {
        return ending.await(nanos);
    }

    private void stop() {
        ending.stop(isLoopThread());
    }

    /**
     * Ends the loop if the thread that is in its cycle has called {@link System#exit}: it comes to no end, and who
     * waits for the loop in a shutdown hook would keep the process from ending. Any thread; cheap while cycles run.
     *
     * @return whether no cycle will ever run, and everything is given back
     */
    public boolean endIfExiting() {
        if (ending.hasStopped()) {
            return true;
        }
        Thread holder = cycleLock.holder();
        Thread inCycle = holder == null && idleMode == IdleMode.BUSY_SPIN ? thread : holder;
        if (inCycle == null || inCycle == Thread.currentThread() || !ExitingThread.is(inCycle)) {
            return false;
        }
        ending.stopInPlaceOf(
                holder,
                new IllegalStateException(
                        "the thread " + inCycle.getName() + " has called System.exit in a cycle of loop " + name));
        return ending.hasStopped();
    }
}
