package io.weir.transport.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.frame.FramePool;
import io.weir.transport.host.Connection;
import io.weir.transport.host.HostStack;
import io.weir.transport.sim.LinkFault;
import io.weir.transport.sim.Simulator;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.testing.StreamProbe;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Plays one schedule, and looks at everything after each event: what is delivered is a prefix of what was sent, and
 * complete once the network has healed; every frame and every credit is accounted for; nothing spins; every connection
 * ends, and leaves nothing.
 */
final class ScheduleRun {
    private static final long SECOND = 1_000_000_000L;
    private static final long GIVE_UP_NANOS = 90 * SECOND;
    /** An end with something to do notices within its user time-out that its peer is gone, and some time-outs more. */
    private static final long NOTICE_NANOS = 13 * SECOND;
    /** A connection lingers for four of the peer's time-outs; a half-open one takes ten seconds to go. */
    private static final long QUIET_AFTER_NANOS = 15 * SECOND;

    private static final int FIRST_PORT = 4720;
    private static final int FIRST_CLIENT_PORT = 40_000;
    private final Schedule schedule;
    private final LabLog log;
    private final List<LabFlow> flows = new ArrayList<>();
    private final ScheduleNetwork network;
    private final Simulator simulator;
    private final StormWatch storms;
    private int unansweredCount;

    /**
     * Prepares a run.
     *
     * @param pool all of whose frames are free; they are again afterwards, unless the run fails
     * @param log or null
     */
    ScheduleRun(Schedule schedule, FramePool pool, LabLog log) {
        this(schedule, pool, log, null);
    }

    /** Prepares a run in which {@code fault}, unless it is null, takes the place of the schedule's bad links. */
    ScheduleRun(Schedule schedule, FramePool pool, LabLog log, LinkFault fault) {
        this.schedule = schedule;
        this.storms = new StormWatch(schedule.flows);
        this.log = log;
        for (ScheduledFlow plan : schedule.flows) {
            boolean isDamaged = schedule.features.contains(Feature.CORRUPTION);
            flows.add(new LabFlow(flows.size(), plan, schedule.mayStarve(plan), isDamaged));
        }
        network = new ScheduleNetwork(schedule, pool, this::listen, log, fault);
        simulator = network.simulator();
    }

    /** Listens for every flow at every host: which of them come, the paths say. */
    private void listen(HostStack stack) {
        for (int i = 0; i < flows.size(); i++) {
            LabFlow flow = flows.get(i);
            stack.listen(FIRST_PORT + i, connection -> {
                network.host(flow.plan().to()).onConnection(connection);
                return flow.newServer();
            });
        }
    }

    /** Plays the schedule to its end. */
    void play() {
        try {
            scheduleFlows();
            for (Step step : schedule.steps) {
                network.at(step.atNanos(), step.host(), () -> take(step));
            }
            simulator.start();
            playUntilOver();
            flows.forEach(flow -> unansweredCount += flow.requireEnd());
            requireSilence();
            network.close();
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError(e.getMessage() == null ? e.toString() : e.getMessage(), e);
        }
    }

    private void scheduleFlows() {
        for (int i = 0; i < flows.size(); i++) {
            int index = i;
            ScheduledFlow plan = flows.get(i).plan();
            network.at(plan.startNanos(), plan.from(), () -> open(index));
        }
    }

    private void open(int index) {
        LabFlow flow = flows.get(index);
        ScheduledFlow plan = flow.plan();
        LabHost host = network.host(plan.from());
        if (!host.host().isUp()) {
            // Its application starts when the host has.
            network.at(simulator.nowNanos() + Schedule.MILLISECOND, plan.from(), () -> open(index));
            return;
        }
        var path = network.path(plan, FIRST_CLIENT_PORT + index, FIRST_PORT + index);
        Connection connection = host.stack().connect(path, flow.client());
        host.onConnection(connection);
        if (plan.isEager()) {
            flow.client().writeEarly(connection);
        }
    }

    private void take(Step step) {
        long nowNanos = simulator.nowNanos();
        if (log != null) {
            log.line(nowNanos, step.toString());
        }
        LabHost host = network.host(step.host());
        switch (step.kind()) {
            case PAUSE -> host.host().pause(step.amount(), nowNanos);
            case CRASH -> crash(step.host(), nowNanos);
            case RESTART -> {
                host.onRestart();
                host.host().restart(nowNanos);
            }
            case TAKE_FRAMES -> network.exhaustion().takeAllBut((int) step.amount());
            case GIVE_FRAMES -> network.exhaustion().giveBack();
            case READ -> read(flows.get(step.flow()).at(step.host()), (int) step.amount());
            case WRITE -> write(flows.get(step.flow()).at(step.host()), step.amount());
            default -> abort(flows.get(step.flow()), step.host(), nowNanos);
        }
    }

    private void crash(int index, long nowNanos) {
        LabHost host = network.host(index);
        host.requireSoundLedgers();
        host.requireExplainedDrops();
        for (LabFlow flow : flows) {
            if (flow.plan().uses(index) && flow.plan().startNanos() <= nowNanos) {
                breakUp(flow, nowNanos);
            }
        }
        host.host().crash(nowNanos);
        host.requireBalance();
    }

    private static void read(StreamProbe probe, int limit) {
        if (probe != null) {
            probe.setTakeLimit(limit);
            if (probe.connection() != null) {
                probe.connection().resumeReading();
            }
        }
    }

    private static void write(StreamProbe probe, long bytes) {
        if (probe != null) {
            probe.lead(bytes);
        }
    }

    private void abort(LabFlow flow, int host, long nowNanos) {
        StreamProbe probe = flow.at(host);
        if (probe != null && probe.connection() != null && probe.closeReason() == null) {
            breakUp(flow, nowNanos);
            probe.connection().abort();
        }
    }

    /** From now on the flow may fail; what is left of it long after, with nothing to do, its applications close. */
    private void breakUp(LabFlow flow, long nowNanos) {
        flow.setBroken();
        if (flow.isBroken()) {
            long atNanos = Math.max(nowNanos, schedule.lastFaultNanos()) + NOTICE_NANOS;
            network.at(atNanos, flow.plan().from(), () -> closeIdle(flow.client()));
            network.at(atNanos, flow.plan().to(), () -> flow.servers().forEach(ScheduleRun::closeIdle));
        }
    }

    private static void closeIdle(StreamProbe probe) {
        if (probe.closeReason() == null && probe.connection() != null) {
            assertTrue(probe.isAcknowledged(), "an end whose peer is gone has data, and has not noticed");
            probe.connection().closeWithin(1);
        }
    }

    private void playUntilOver() {
        while (!isOver()) {
            if (!simulator.step(GIVE_UP_NANOS)) {
                throw new AssertionError("not all flows have ended, and nothing more happens");
            }
            requireSound();
        }
    }

    private boolean isOver() {
        for (int i = 0; i < flows.size(); i++) {
            if (!flows.get(i).isOver()) {
                return false;
            }
        }
        return true;
    }

    private void requireSound() {
        storms.requireCalm(simulator, network.hasFreeFrames());
        network.requireSoundFrames();
        for (LabHost host : network.hosts()) {
            host.requireSoundLedgers();
        }
        for (int i = 0; i < flows.size(); i++) {
            flows.get(i).requirePrefixes();
        }
    }

    private void requireSilence() {
        long overNanos = Math.max(simulator.nowNanos(), schedule.lastFaultNanos());
        while (simulator.step(overNanos + QUIET_AFTER_NANOS)) {
            requireSound();
        }
        long before = simulator.eventCount();
        simulator.run(overNanos + 2 * QUIET_AFTER_NANOS);
        assertEquals(before, simulator.eventCount(), "events after everything had ended");
        requireEachOnce();
        for (LabHost host : network.hosts()) {
            host.requireExplainedDrops();
            host.requirePatience();
            host.requireNothingLeft();
        }
    }

    /** A credit or an opening that arrives twice is not two. What hosts that crashed had sent, nobody knows. */
    private void requireEachOnce() {
        long sent = 0;
        long received = 0;
        long openedCount = 0;
        long damagedCount = 0;
        for (LabHost host : network.hosts()) {
            sent += host.stack().counters().get(CounterId.CREDITS_SENT);
            received += host.stack().counters().get(CounterId.CREDITS_RECEIVED);
            openedCount += host.stack().counters().get(CounterId.CONNECTIONS_OPENED);
            damagedCount += schedule.features.contains(Feature.CORRUPTION) ? host.openingsOfDamagedTags() : 0;
        }
        if (schedule.features.contains(Feature.CRASH)) {
            return;
        }
        assertTrue(received <= sent, received + " credits received of " + sent + " sent");
        // The copy of an opening that comes after its connection was aborted opens another, which nobody confirms.
        boolean mayOpenAgain = schedule.features.contains(Feature.REPLAY)
                || schedule.features.containsAll(Set.of(Feature.ABORT, Feature.DUPLICATES));
        boolean isOpenedOnce = openedCount <= 2L * flows.size() + damagedCount || mayOpenAgain;
        assertTrue(isOpenedOnce, openedCount + " ends of " + flows.size() + " connections");
    }

    /** {@return ends that timed out although their peer had finished} */
    int unansweredCount() {
        return unansweredCount;
    }

    long eventCount() {
        return simulator.eventCount();
    }

    long frameCount() {
        return simulator.frameCount();
    }

    /** {@return how far everything has come} */
    String progress() {
        return "at " + simulator.nowNanos() + " ns: " + flows;
    }
}
