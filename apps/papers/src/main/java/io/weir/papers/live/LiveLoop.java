package io.weir.papers.live;

import io.weir.cli.lab.LabRun;
import io.weir.transport.runtime.EventLoop;
import io.weir.transport.runtime.IdleMode;
import io.weir.transport.runtime.LoopTask;
import io.weir.transport.runtime.NodeBinding;
import io.weir.transport.runtime.OwnTimeLimit;
import io.weir.transport.runtime.ParkWaiter;
import io.weir.transport.runtime.PeriodicRest;
import io.weir.transport.runtime.ThreadTuning;
import java.io.IOException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A loop that spins on its own thread, in the kernel's real-time class where that is granted, and lets the core go
 * for a moment every millisecond. It says when it last was away, so that what was measured just then can be left out: a
 * machine that measures delays has nothing else to do, and this one has.
 */
final class LiveLoop implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LiveLoop.class);

    /** Longer than a cycle that receives and transmits as much as it may. */
    private static final long AWAY_NANOS_MIN = 150_000;

    private static final long REST_NANOS_MIN = 20_000;
    /** Longer than a round trip, which may have begun before the loop was away. */
    private static final long SETTLE_NANOS = 300_000;

    private static final long JOIN_SECONDS_MAX = 10;

    private final EventLoop loop;
    private final Thread thread;
    private final boolean isRealTime;
    private final CycleLengths lengths = new CycleLengths();
    private volatile boolean isEnding;
    private volatile long calmNanos;
    private volatile Throwable failure;

    LiveLoop(String name, boolean isRealTime, List<NodeBinding> bindings, Runnable onStop) {
        this.isRealTime = isRealTime;
        loop = new EventLoop(name, bindings, IdleMode.INVOKER, new ParkWaiter(), onStop);
        thread = new Thread(this::run, name);
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        try {
            if (isRealTime) {
                String scheduling = ThreadTuning.find().tune(LabRun.REAL_TIME).line();
                LOG.debug("loop={} scheduling=\"{}\"", thread.getName(), scheduling);
            }
            loop.start();
            spin();
        } catch (RuntimeException | AssertionError e) {
            failure = e;
        } finally {
            loop.close();
        }
    }

    private void spin() {
        PeriodicRest rest = new PeriodicRest();
        long lastNanos = System.nanoTime();
        while (!isEnding) {
            loop.runOnce();
            long cycleNanos = System.nanoTime();
            rest.take(cycleNanos);
            long wallNanos = System.nanoTime();
            if (cycleNanos - lastNanos >= AWAY_NANOS_MIN || wallNanos - cycleNanos >= REST_NANOS_MIN) {
                calmNanos = wallNanos + SETTLE_NANOS;
            } else {
                lengths.add(cycleNanos - lastNanos);
            }
            lastNanos = wallNanos;
        }
    }

    /** {@return from when on, by {@link System#nanoTime}, the loop was not away any more for long enough} */
    long calmNanos() {
        return calmNanos;
    }

    /** {@return how long cycles took in which the loop was not away; for after {@link #close}} */
    CycleLengths lengths() {
        return lengths;
    }

    /** Has the loop's thread do something. */
    void execute(LoopTask task) {
        loop.execute(task);
    }

    /** Fails if the loop has ended. */
    void requireHealthy() throws IOException {
        if (failure != null) {
            throw new IOException("the loop " + thread.getName() + " ended by a fault: " + failure, failure);
        }
    }

    @Override
    public void close() {
        isEnding = true;
        try {
            OwnTimeLimit.ofSeconds(JOIN_SECONDS_MAX).join(thread);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
