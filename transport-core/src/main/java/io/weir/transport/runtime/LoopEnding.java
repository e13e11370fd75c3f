package io.weir.transport.runtime;

import io.weir.transport.node.NetPort;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How a loop ends: asked to or by a fault, and what it gives back then, once. */
final class LoopEnding {
    private static final Logger LOG = LoggerFactory.getLogger(EventLoop.class);
    private static final long STOP_NANOS_MAX = 5_000_000_000L;
    private static final long STOP_RETRY_NANOS = 100_000;

    private final String name;
    /** Replaced with the cycle lock. */
    private volatile List<NodeBinding> bindings;

    private final Runnable onStop;
    private final LoopTasks tasks;
    private final CycleLock cycleLock;
    private final Waiter waiter;
    private final CountDownLatch ended = new CountDownLatch(1);
    /** Why the loop ended by itself, or null. Written once, by the thread whose cycle failed. */
    private volatile Throwable failure;
    /** Whether no cycle begins any more. Written by any thread, once. */
    private volatile boolean isClosed;
    /**
     * Whether Nodes and ports have been given up, so that no task runs any more. Written once, by the thread that does
     * it.
     */
    private volatile boolean hasStopped;

    /**
     * Creates one of a loop that goes on.
     *
     * @param onStop runs when the loop ends, before the ports are closed
     */
    LoopEnding(
            String name,
            List<NodeBinding> bindings,
            Runnable onStop,
            LoopTasks tasks,
            CycleLock cycleLock,
            Waiter waiter) {
        this.name = name;
        this.bindings = bindings;
        this.onStop = onStop;
        this.tasks = tasks;
        this.cycleLock = cycleLock;
        this.waiter = waiter;
    }

    /** The loop has other ports to give back from now on; within a cycle. */
    void setBindings(List<NodeBinding> newBindings) {
        bindings = newBindings;
    }

    /** {@return what the loop drives} */
    List<NodeBinding> bindings() {
        return bindings;
    }

    /** Lets no cycle begin any more. */
    void request() {
        isClosed = true;
    }

    /** {@return whether no cycle begins any more} */
    boolean isClosed() {
        return isClosed;
    }

    /** {@return whether everything has been given back, or is about to be, so that no task runs any more} */
    boolean hasStopped() {
        return hasStopped;
    }

    /** {@return why the loop ended by itself, or null} */
    Throwable failure() {
        return failure;
    }

    /** A cycle failed. The first failure is the loop's. */
    void fail(Throwable problem) {
        if (failure != null) {
            return;
        }
        failure = problem;
        log("ended by a fault", problem);
    }

    /** Without memory, logging fails too. */
    private void log(String what, Throwable problem) {
        try {
            LOG.error("loop={} {}", name, what, problem);
        } catch (Throwable e) {
            // The failure itself can be asked for.
        }
    }

    /**
     * Gives everything back: what fails keeps nothing else from being given back.
     *
     * @param isLoopThread whether the calling thread is the loop's
     */
    void stop(boolean isLoopThread) {
        if (takeToStop(isLoopThread)) {
            giveBack();
        }
    }

    /**
     * Gives everything back in place of a thread that will never run again, and with it the cycle that it is in.
     *
     * @param holder who has the cycle lock, or null where cycles need none
     * @param reason what those are told who wait for the loop
     */
    void stopInPlaceOf(Thread holder, Throwable reason) {
        if (cycleLock.takeFrom(holder)) {
            failure = failure == null ? reason : failure;
            giveBack();
        }
    }

    private void giveBack() {
        isClosed = true;
        try {
            onStop.run();
        } catch (Throwable e) {
            log("could not stop its Nodes", e);
        }
        for (NodeBinding binding : bindings) {
            for (NetPort port : binding.ports()) {
                try {
                    port.close();
                } catch (Throwable e) {
                    log("could not close a port", e);
                }
            }
        }
        hasStopped = true;
        cycleLock.retire();
        tasks.refuseAll(failure);
        try {
            waiter.close();
        } catch (Throwable e) {
            log("could not close what it sleeps with", e);
        }
        ended.countDown();
    }

    /**
     * {@return whether the calling thread is the one to stop the loop} The ports' memory goes away, so nobody may be in
     * a cycle.
     */
    private boolean takeToStop(boolean isLoopThread) {
        OwnTimeLimit limit = OwnTimeLimit.ofNanos(STOP_NANOS_MAX);
        while (!cycleLock.tryTake()) {
            boolean isOver = limit.leftNanos() == 0;
            // The loop's own thread has nothing else to do; the interface would stay taken.
            if (cycleLock.isRetired() || (isOver && !isLoopThread)) {
                return false;
            }
            LockSupport.parkNanos(STOP_RETRY_NANOS);
        }
        return true;
    }

    /** {@return whether everything is given back within {@code nanos}} An interrupt does not shorten the wait. */
    boolean await(long nanos) {
        boolean isInterrupted = false;
        long deadlineNanos = System.nanoTime() + nanos;
        try {
            while (true) {
                try {
                    return ended.await(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    isInterrupted = true;
                }
            }
        } finally {
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
