package io.weir.cli.switching;

import io.weir.cli.environment.StopRequest;
import io.weir.nic.switching.LiveSwitch;
import io.weir.nic.switching.PortSample;
import io.weir.nic.switching.SwitchSample;
import io.weir.transport.node.PortInfo;
import io.weir.transport.runtime.EventLoop;
import io.weir.transport.runtime.OwnTimeLimit;
import io.weir.transport.runtime.SchedulingConfig;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/**
 * Runs the switch that a plan describes until it is asked to stop, its time is over, or nothing is left to forward
 * between.
 */
final class SwitchRun {
    /** For a switch that runs until it is stopped, or that nobody watches. */
    static final long FOREVER = Long.MAX_VALUE;

    /** How often to look whether all is well when nothing else is due. */
    private static final long LOOK_NANOS = 500_000_000;

    private static final int SAMPLE_SECONDS_MAX = 5;

    private final SwitchPlan plan;
    private final SchedulingConfig scheduling;
    private final long intervalNanos;
    private final long timeNanos;
    private final Watcher watcher;

    /**
     * Prepares a run.
     *
     * @param scheduling what the switch's thread asks of the scheduler
     * @param intervalNanos how often the watcher is called, or {@link #FOREVER}
     * @param timeNanos when to end, or {@link #FOREVER}
     */
    SwitchRun(SwitchPlan plan, SchedulingConfig scheduling, long intervalNanos, long timeNanos, Watcher watcher) {
        this.plan = plan;
        this.scheduling = scheduling;
        this.intervalNanos = intervalNanos;
        this.timeNanos = timeNanos;
        this.watcher = watcher;
    }

    /** Is told how a run goes. */
    interface Watcher {
        /** Every port is open, and frames are forwarded by a thread that is scheduled so. */
        void onStart(List<PortInfo> ports, String scheduling);

        /** An interval is over. */
        void onInterval(SwitchInterval interval);

        /** A port can move no more frames; the others go on. */
        void onPortFailure(PortPlan port, String failure);
    }

    /**
     * What came of a run.
     *
     * @param ports what the ports were
     * @param scheduling what the switch's thread got from the scheduler
     * @param whole everything from the start to the end
     * @param fault why the switch's thread ended by itself, or null when it did not
     */
    record Outcome(List<PortInfo> ports, String scheduling, SwitchInterval whole, Throwable fault) {
        /** {@return how many ports failed} */
        long failedPorts() {
            return whole.after().ports().stream()
                    .filter(port -> port.failure() != null)
                    .count();
        }
    }

    /** Opens the ports, forwards, and gives the ports back, whatever happens. */
    Outcome run(StopRequest stop) throws IOException {
        int frameCount = plan.frameCount(PortQueues.queueCounts(plan.ports()));
        List<LiveSwitch.Port> ports = plan.ports().stream()
                .map(port -> new LiveSwitch.Port(port.netPort(), port.config(), port.addresses()))
                .toList();
        try (LiveSwitch live = LiveSwitch.start(ports, frameCount, plan.idleMode(), scheduling, plan.seed())) {
            List<PortInfo> infos = live.portInfos();
            String loop = live.loop().scheduling();
            watcher.onStart(infos, loop);
            SwitchSample zero = SwitchSample.zero(ports.size());
            SwitchSample last = watch(live, stop, zero);
            return new Outcome(
                    infos,
                    loop,
                    new SwitchInterval(plan.ports(), zero, last),
                    live.loop().failure());
        }
    }

    private SwitchSample watch(LiveSwitch live, StopRequest stop, SwitchSample zero) throws IOException {
        long startNanos = System.nanoTime();
        long dueNanos = intervalNanos;
        SwitchSample last = zero;
        SwitchSample reported = zero;
        boolean isOver = false;
        while (!isOver) {
            long elapsedNanos = System.nanoTime() - startNanos;
            long wakeNanos = Math.min(elapsedNanos + LOOK_NANOS, Math.min(dueNanos, timeNanos));
            isOver = stop.await(wakeNanos - elapsedNanos) || wakeNanos >= timeNanos;
            boolean isDue = wakeNanos >= dueNanos;
            if (!isOver && !isDue && !isTroubled(live.loop())) {
                continue;
            }
            SwitchSample sample = sample(live, last);
            reportFailures(last, sample);
            isOver |= live.loop().failure() != null || isDead(sample);
            last = sample;
            if (intervalNanos != FOREVER && sample.nowNanos() > reported.nowNanos() && (isDue || isOver)) {
                watcher.onInterval(new SwitchInterval(plan.ports(), reported, sample));
                reported = sample;
            }
            if (isDue) {
                dueNanos += intervalNanos;
            }
        }
        return last;
    }

    private static boolean isTroubled(EventLoop loop) {
        return loop.failure() != null || loop.portFailure() != null;
    }

    /** {@return what the switch holds now, or what it held last when its thread has ended by a fault} */
    private static SwitchSample sample(LiveSwitch live, SwitchSample last) throws IOException {
        OwnTimeLimit limit = OwnTimeLimit.ofSeconds(SAMPLE_SECONDS_MAX);
        try {
            return live.loop().failure() != null ? last : limit.get(live.sample());
        } catch (TimeoutException e) {
            if (live.loop().failure() != null) {
                return last;
            }
            throw new IOException(
                    "the switch's thread has not run for " + SAMPLE_SECONDS_MAX + " s" + limit.remark()
                            + "; give it a core, or stop what keeps the machine busy",
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return last;
        } catch (ExecutionException e) {
            throw new IOException("the switch could not be asked for its counters", e);
        }
    }

    private void reportFailures(SwitchSample before, SwitchSample after) {
        for (int i = 0; i < plan.ports().size(); i++) {
            String failure = after.ports().get(i).failure();
            if (failure != null && before.ports().get(i).failure() == null) {
                watcher.onPortFailure(plan.ports().get(i), failure);
            }
        }
    }

    /** {@return whether fewer than two ports are left to forward between} */
    private static boolean isDead(SwitchSample sample) {
        long alive = sample.ports().stream()
                .map(PortSample::failure)
                .filter(failure -> failure == null)
                .count();
        return alive < 2;
    }
}
