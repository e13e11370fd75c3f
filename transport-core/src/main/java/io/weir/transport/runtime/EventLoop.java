package io.weir.transport.runtime;

import io.weir.transport.node.NetPort;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentRunner;
import org.agrona.concurrent.AgentTerminationException;
import org.agrona.concurrent.BusySpinIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Drives Nodes over real ports with the real clock, on a thread of its own or on the application's. It owns its ports and
 * closes them.
 *
 * <p>In the default mode a thread that waits for the loop may run it meanwhile by {@link #help}: an answer then reaches it
 * without a change of threads, which on a busy core costs more than all the rest. An application whose handlers count on the
 * loop's own thread says so by {@link #stopSharing}.
 */
@SuppressWarnings("ThreadPriorityCheck") // see Seat
public final class EventLoop implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EventLoop.class);
    private static final int CLOSE_MILLIS_MAX = 5_000;

    private final String name;
    private final List<NodeBinding> bindings;
    private final Waiter waiter;
    private final LoopTasks tasks = new LoopTasks();
    private final Seat seat = new Seat();
    private final CycleMonitor monitor = new CycleMonitor(CycleMonitor.PAUSE_NANOS_MIN, CycleMonitor.GAP_NANOS_MIN);
    private final NodeAgent agent;
    private final IdleMode idleMode;
    private final IdleStrategy idle;
    /** Null in busy-spin mode. */
    private final BackOff backOff;

    private final Runnable onStop;
    private final boolean mayBeShared;
    private final LongSupplier clock;
    private final CompletableFuture<LoopScheduling> scheduled = new CompletableFuture<>();
    private SchedulingConfig scheduling = SchedulingConfig.DEFAULT;
    private AgentRunner runner;
    private boolean isInCycle;
    private volatile Thread thread;
    private volatile Throwable failure;
    private volatile String portFailure;
    private volatile boolean isClosed;
    private volatile boolean isShared;
    private int helpedWork;

    /**
     * Creates a loop that does not run yet.
     *
     * @param waiter how the thread sleeps; the loop closes it
     * @param onStop runs on the loop's thread when it ends, before the ports are closed
     */
    public EventLoop(String name, List<NodeBinding> bindings, IdleMode idleMode, Waiter waiter, Runnable onStop) {
        this(name, bindings, idleMode, waiter, onStop, machineClock(), true);
    }

    /** {@return a loop that the application runs, by a clock that the application has} */
    public static EventLoop invokedBy(LongSupplier clock, String name, List<NodeBinding> bindings, Runnable onStop) {
        return new EventLoop(name, bindings, IdleMode.INVOKER, new ParkWaiter(), onStop, clock, false);
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
        this.bindings = List.copyOf(bindings);
        this.idleMode = idleMode;
        this.waiter = waiter;
        this.onStop = onStop;
        this.clock = clock;
        this.agent = new NodeAgent(name, this.bindings, clock, isClockRunning, tasks, monitor);
        this.backOff = idleMode == IdleMode.BUSY_SPIN ? null : new BackOff(agent, tasks, waiter, clock, monitor, seat);
        this.idle = backOff == null ? BusySpinIdleStrategy.INSTANCE : backOff;
        this.mayBeShared = idleMode == IdleMode.BACK_OFF;
        this.isShared = mayBeShared;
    }

    /** Sets what the loop's own thread asks the scheduler for; before {@link #start}. */
    public void setScheduling(SchedulingConfig value) {
        scheduling = value;
    }

    private static LongSupplier machineClock() {
        long epochNanos = System.nanoTime();
        return () -> System.nanoTime() - epochNanos;
    }

    /** Starts the loop's thread; in invoker mode, makes the calling thread the loop's. */
    public void start() {
        if (idleMode == IdleMode.INVOKER) {
            thread = Thread.currentThread();
            scheduled.complete(LoopScheduling.INVOKED);
            return;
        }
        RealTimeRest rest = new RealTimeRest(idle, this::noteRest);
        runner = new AgentRunner(
                scheduling.isRealTime() ? rest : idle, this::fail, null, new Guarded(rest, ThreadTuning.find()));
        AgentRunner.startOnThread(runner, work -> {
            Thread loopThread = new Thread(work, name);
            loopThread.setDaemon(true);
            thread = loopThread;
            return loopThread;
        });
    }

    /** Makes the calling thread the loop's: for an application in invoker mode that hands the loop to another thread. */
    public void adopt() {
        requireInvoker();
        thread = Thread.currentThread();
    }

    /** {@return the work done in one cycle; invoker mode only, on the loop's thread} */
    public int runOnce() {
        requireInvoker();
        isInCycle = true;
        try {
            return agent.doWork();
        } finally {
            isInCycle = false;
        }
    }

    /** {@return the loop's time: that of the cycle inside one, or the clock's for an invoker between two; its thread only} */
    public long nowNanos() {
        return isInvoker() && !isInCycle ? clock.getAsLong() : agent.nowNanos();
    }

    /** Runs one cycle and, if there was nothing to do, waits as the default mode does; invoker mode only. */
    public void runOnceAndIdle() {
        idle.idle(runOnce());
    }

    /**
     * Rests a little if other threads compute on this core, as the default mode does; invoker mode only. For a thread that runs several
     * loops, after a round of all of them.
     *
     * @param workCount the work of that round
     * @return whether it has rested
     */
    public boolean restIfCrowded(int workCount) {
        requireInvoker();
        return backOff.restIfCrowded(workCount);
    }

    /**
     * Runs one cycle on the calling thread, which waits for the loop, unless another thread is running one; default mode only.
     *
     * @return the work done
     */
    public int help() {
        if (!isShared || !seat.tryTake()) {
            return 0;
        }
        int work = 0;
        try {
            // After a fault the state is not to be touched; after closing the seat is never free.
            if (failure == null) {
                work = agent.doWork();
                helpedWork += work;
            }
        } catch (RuntimeException | AssertionError e) {
            fail(e);
        } finally {
            seat.leave();
        }
        if (work > 0 && seat.isOwnerAsleep()) {
            // There may be a deadline now that it does not know of.
            waiter.wake();
        }
        return work;
    }

    /** From the next cycle on only the loop's own thread runs them, and with them handlers. Any thread may call. */
    public void stopSharing() {
        if (isShared) {
            isShared = false;
            if (!seat.isMine()) {
                // A helper's cycle may be going on.
                seat.take();
                seat.leave();
            }
        }
    }

    private void requireInvoker() {
        if (idleMode != IdleMode.INVOKER) {
            throw new IllegalStateException("loop " + name + " has a thread of its own (" + idleMode + ")");
        }
    }

    /**
     * Asks the loop to do something in its next cycle, whichever thread runs that. Any thread may ask.
     */
    public void execute(LoopTask task) {
        tasks.add(task);
        waiter.wake();
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
        return isClosed;
    }

    /** {@return what the loop's thread got from the scheduler, and what it did not get and why} Waits until it has begun. */
    public String scheduling() {
        return scheduled
                .copy()
                .completeOnTimeout(LoopScheduling.UNKNOWN, CLOSE_MILLIS_MAX, TimeUnit.MILLISECONDS)
                .join()
                .line();
    }

    private LoopScheduling ask(ThreadTuning tuning) {
        if (scheduling.isRealTime()) {
            // A thread that waits for the loop would be interrupted in its cycle by the loop's, which cannot go on
            // without it.
            stopSharing();
        }
        LoopScheduling answer = tuning.tune(scheduling);
        LOG.info("loop={} scheduling=\"{}\"", name, answer.line());
        scheduled.complete(answer);
        return answer;
    }

    /** The thread slept of its own accord until now. */
    private void noteRest() {
        if (seat.tryTake()) {
            monitor.onWoken(clock.getAsLong());
            seat.leave();
        }
    }

    /** {@return what tells how regularly the loop ran} */
    public CycleMonitor monitor() {
        return monitor;
    }

    /** {@return why the loop ended by itself, or null} */
    public Throwable failure() {
        return failure;
    }

    /** {@return why a port can move no more frames, or null while all can} */
    public String portFailure() {
        return portFailure;
    }

    private void fail(Throwable problem) {
        if (failure != null) {
            return;
        }
        failure = problem;
        LOG.error("loop={} ended by a fault", name, problem);
    }

    /** Ends the loop and closes its ports. */
    @Override
    public void close() {
        if (isClosed) {
            return;
        }
        isClosed = true;
        if (runner == null) {
            stop();
        } else {
            waiter.wake();
            runner.close(CLOSE_MILLIS_MAX, stuck -> LOG.warn("loop={} does not end", name));
        }
        waiter.close();
    }

    private void stop() {
        // For good: the ports' memory goes away.
        seat.take();
        try {
            onStop.run();
        } finally {
            for (NodeBinding binding : bindings) {
                binding.ports().forEach(NetPort::close);
            }
        }
    }

    /** The agent as its thread runs it: a fault ends the loop, because state that was half changed cannot be trusted. */
    private final class Guarded implements Agent {
        private static final long PROBE_NANOS = 100_000_000;

        private final RealTimeRest rest;
        private final ThreadTuning tuning;
        private long probeNanos;

        Guarded(RealTimeRest rest, ThreadTuning tuning) {
            this.rest = rest;
            this.tuning = tuning;
        }

        @Override
        public void onStart() {
            if (ask(tuning).isRealTime()) {
                rest.turnOn();
            }
        }

        @Override
        public int doWork() {
            if (!mayBeShared) {
                return runCycle();
            }
            if (!seat.tryTake()) {
                // A thread that waits for the loop is at it.
                Thread.yield();
                return 1;
            }
            try {
                return runCycle();
            } finally {
                seat.leave();
            }
        }

        private int runCycle() {
            try {
                if (failure != null) {
                    throw new AgentTerminationException(failure);
                }
                int work = agent.doWork() + helpedWork;
                helpedWork = 0;
                if (agent.nowNanos() >= probeNanos) {
                    probeNanos = agent.nowNanos() + PROBE_NANOS;
                    probePorts();
                }
                return work;
            } catch (RuntimeException | AssertionError e) {
                fail(e);
                throw new AgentTerminationException(e);
            }
        }

        private void probePorts() {
            String found = agent.portFailure();
            if (found != null && portFailure == null) {
                LOG.warn("loop={} portFailure=\"{}\"", name, found);
            }
            portFailure = found;
        }

        @Override
        public void onClose() {
            stop();
        }

        @Override
        public String roleName() {
            return name;
        }
    }
}
