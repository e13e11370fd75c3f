package io.weir.transport.lab;

import io.weir.transport.sim.Simulator;
import java.util.List;

/** Sees that nothing spins: that events are in proportion to what there is to do, and lead to frames. */
final class StormWatch {
    /** Three times the most that good schedules need: timers of all connections between two frames. */
    private static final int IDLE_EVENTS_MAX = 500;

    /** A receiver may send credits for a second into silence. */
    private static final int EVENTS_PER_FLOW_MAX = 20_000;

    private static final int EVENTS_PER_SEGMENT_MAX = 200;

    private final long eventsMax;
    private long idleEvents;
    private long frameCount;

    StormWatch(List<ScheduledFlow> flows) {
        long segments = 0;
        for (ScheduledFlow flow : flows) {
            segments += (flow.upBytes() + flow.downBytes()) / 1_000 + 1;
        }
        eventsMax = (long) EVENTS_PER_FLOW_MAX * flows.size() + EVENTS_PER_SEGMENT_MAX * segments;
    }

    /** Looks at the latest event. While the pool is empty, hosts ask for frames again and again. */
    void requireCalm(Simulator simulator, boolean hasFreeFrames) {
        idleEvents++;
        if (simulator.frameCount() != frameCount || !hasFreeFrames) {
            frameCount = simulator.frameCount();
            idleEvents = 0;
        }
        if (idleEvents > IDLE_EVENTS_MAX) {
            throw new AssertionError("an event storm: " + idleEvents + " events in a row without a frame");
        }
        if (simulator.eventCount() > eventsMax) {
            throw new AssertionError("an event storm: " + simulator.eventCount() + " events");
        }
    }
}
