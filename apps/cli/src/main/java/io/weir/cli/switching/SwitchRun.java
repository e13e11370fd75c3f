package io.weir.cli.switching;

import io.weir.cli.environment.StopRequest;
import io.weir.nic.NicException;
import io.weir.nic.switching.LiveSwitch;
import io.weir.nic.switching.PortSample;
import io.weir.nic.switching.SwitchSample;
import io.weir.pacer.RateMath;
import io.weir.transport.node.ConfigException;
import io.weir.transport.node.PortInfo;
import io.weir.transport.runtime.EventLoop;
import io.weir.transport.runtime.OwnTimeLimit;
import io.weir.transport.runtime.SchedulingConfig;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Runs the switch that a plan describes until it is asked to stop, its time is over, or no port is left.
 */
final class SwitchRun {
    /** For a switch that runs until it is stopped, or that nobody watches. */
    static final long FOREVER = Long.MAX_VALUE;

    /** How often to look whether all is well when nothing else is due. */
    private static final long LOOK_NANOS = 500_000_000;

    private static final int SAMPLE_SECONDS_MAX = 5;
    /** A service manager waits longer before it kills, and so does the command's own hook. */
    private static final long DRAIN_NANOS_MAX = TimeUnit.SECONDS.toNanos(5);

    /** What is forwarded between; another one after each reload. */
    private SwitchPlan plan;

    private final Settings settings;
    private final Watcher watcher;
    /** Ports that a reload has taken out, with what they had done until then. */
    private final List<PortPlan> formerPorts = new ArrayList<>();

    private final List<PortSample> formerSamples = new ArrayList<>();

    /**
     * How a run goes.
     *
     * @param scheduling what the switch's thread asks of the scheduler
     * @param intervalNanos how often the watcher is called, or {@link #FOREVER}
     * @param timeNanos when to end, or {@link #FOREVER}
     * @param isWaiting whether to wait, too, while no port is left
     */
    record Settings(SchedulingConfig scheduling, long intervalNanos, long timeNanos, boolean isWaiting) {}

    /** Prepares a run. */
    SwitchRun(SwitchPlan plan, Settings settings, Watcher watcher) {
        this.plan = plan;
        this.settings = settings;
        this.watcher = watcher;
    }

    /** Reads the file again. */
    @FunctionalInterface
    interface Reload {
        /** {@return what is to be forwarded between from now on, or null if nobody has asked for another one} */
        SwitchPlan poll() throws IOException;
    }

    /** Is told how a run goes. */
    interface Watcher {
        /** Every port is open, and frames are forwarded by a thread that is scheduled so. */
        void onStart(List<PortInfo> ports, String scheduling);

        /** An interval is over. */
        void onInterval(SwitchInterval interval);

        /** A port can move no more frames; the others go on. */
        void onPortFailure(PortPlan port, String failure);

        /** A port that has failed moves frames again. */
        void onPortReturn(PortPlan port);

        /**
         * The file was read again: the switch is so from now on.
         *
         * @param framesGrown how many frames the pool has now, if it had to grow, or 0
         */
        void onReload(SwitchPlan plan, int framesGrown);

        /** The file was read again and refused: nothing has changed. */
        void onReloadRefused(String reason);

        /** The switch has taken no more frames in and ends; so many that it held could not leave. */
        void onDrained(int framesLeft);
    }

    /**
     * What came of a run.
     *
     * @param ports what the ports were
     * @param scheduling what the switch's thread got from the scheduler
     * @param whole everything from the start to the end, also of ports that a reload has taken out
     * @param isNoPortLeft whether it ended because every interface is gone
     * @param fault why the switch's thread ended by itself, or null when it did not
     */
    record Outcome(
            List<PortInfo> ports, String scheduling, SwitchInterval whole, boolean isNoPortLeft, Throwable fault) {
        /** {@return how many ports failed} */
        long failedPorts() {
            return whole.after().ports().stream()
                    .filter(port -> port.failure() != null)
                    .count();
        }
    }

    /** Opens the ports, forwards, and gives the ports back, whatever happens. */
    Outcome run(StopRequest stop, Reload reload) throws IOException {
        int frameCount = plan.frameCount(PortQueues.queueCounts(plan.ports()));
        try (LiveSwitch live =
                LiveSwitch.start(livePorts(plan), frameCount, plan.idleMode(), settings.scheduling(), plan.seed())) {
            List<PortInfo> infos = live.portInfos();
            String loop = live.loop().scheduling();
            watcher.onStart(infos, loop);
            SwitchSample last = watch(live, stop, reload);
            List<PortPlan> ports = new ArrayList<>(plan.ports());
            ports.addAll(formerPorts);
            SwitchSample whole = last.withPorts(formerSamples);
            return new Outcome(
                    live.portInfos(),
                    loop,
                    new SwitchInterval(ports, SwitchSample.zero(ports.size()), whole),
                    isDead(last),
                    live.loop().failure());
        }
    }

    private static List<LiveSwitch.Port> livePorts(SwitchPlan plan) {
        return plan.ports().stream()
                .map(port -> new LiveSwitch.Port(port.netPort(), port.config(), port.addresses()))
                .toList();
    }

    private SwitchSample watch(LiveSwitch live, StopRequest stop, Reload reload) throws IOException {
        long startNanos = System.nanoTime();
        long dueNanos = settings.intervalNanos();
        SwitchSample last = SwitchSample.zero(plan.ports().size());
        SwitchSample reported = last;
        boolean isOver = false;
        while (!isOver) {
            long elapsedNanos = System.nanoTime() - startNanos;
            long wakeNanos = Math.min(elapsedNanos + LOOK_NANOS, Math.min(dueNanos, settings.timeNanos()));
            isOver = stop.await(wakeNanos - elapsedNanos) || wakeNanos >= settings.timeNanos();
            boolean isDue = wakeNanos >= dueNanos;
            SwitchPlan next = isOver ? null : poll(reload);
            if (next != null) {
                last = change(live, next, sample(live, last));
                reported = last;
            }
            if (!isOver && !isDue && !isTroubled(live.loop()) && !hasFailures(last)) {
                continue;
            }
            if (isOver) {
                drain(live);
            }
            SwitchSample sample = sample(live, last);
            reportFailures(last, sample);
            isOver |= live.loop().failure() != null || (isDead(sample) && !settings.isWaiting());
            last = sample;
            if (settings.intervalNanos() != FOREVER && sample.nowNanos() > reported.nowNanos() && (isDue || isOver)) {
                watcher.onInterval(new SwitchInterval(plan.ports(), reported, sample));
                reported = sample;
            }
            if (isDue) {
                dueNanos += settings.intervalNanos();
            }
        }
        return last;
    }

    /** What is queued leaves first, for as long as the slowest port needs for all that it may hold. */
    private void drain(LiveSwitch live) throws IOException {
        if (live.loop().failure() != null) {
            return;
        }
        long neededNanos = plan.ports().stream()
                .mapToLong(port -> RateMath.serializationNanosCeil(
                        port.config().dataQueueBytesMax(), port.config().linkRateBps()))
                .max()
                .orElse(0);
        watcher.onDrained(live.drain(Math.min(DRAIN_NANOS_MAX, 2 * neededNanos + LOOK_NANOS)));
    }

    /** {@return what the file says now if it was to be read again and is right, or null} */
    private SwitchPlan poll(Reload reload) throws IOException {
        try {
            return reload.poll();
        } catch (ConfigException e) {
            watcher.onReloadRefused(e.getMessage());
            return null;
        }
    }

    /** {@return a sample of the ports that there are then} */
    private SwitchSample change(LiveSwitch live, SwitchPlan next, SwitchSample before) throws IOException {
        boolean isGrown;
        try {
            requireSame("seed", plan.seed(), next.seed());
            requireSame("idle", SwitchFile.nameOf(plan.idleMode()), SwitchFile.nameOf(next.idleMode()));
            isGrown = live.reload(livePorts(next), next.frameCount(PortQueues.queueCounts(next.ports())));
        } catch (ConfigException | NicException e) {
            watcher.onReloadRefused(e.getMessage());
            return before;
        }
        List<String> names = next.ports().stream().map(PortPlan::name).toList();
        for (int i = 0; i < plan.ports().size(); i++) {
            if (!names.contains(plan.ports().get(i).name())) {
                formerPorts.add(plan.ports().get(i));
                formerSamples.add(before.ports().get(i));
            }
        }
        plan = next;
        watcher.onReload(next, isGrown ? live.frameCount() : 0);
        return sample(live, SwitchSample.zero(next.ports().size()));
    }

    private static void requireSame(String key, Object before, Object now) {
        if (!before.equals(now)) {
            throw new ConfigException(key + ": " + now + " was " + before
                    + ", which cannot change while the switch runs; start it again");
        }
    }

    private static boolean hasFailures(SwitchSample sample) {
        return sample.ports().stream().anyMatch(port -> port.failure() != null);
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
            String earlier = before.ports().get(i).failure();
            if (failure != null && earlier == null) {
                watcher.onPortFailure(plan.ports().get(i), failure);
            } else if (failure == null && earlier != null) {
                watcher.onPortReturn(plan.ports().get(i));
            }
        }
    }

    /** {@return whether no port is left} */
    private static boolean isDead(SwitchSample sample) {
        return sample.ports().stream().allMatch(port -> port.failure() != null);
    }
}
