package io.weir.transport.scenario.workload;

import io.weir.transport.protocol.ProtocolConfig;
import io.weir.transport.scenario.Traffic;

/**
 * One flow, before it starts.
 *
 * @param id its name: that of its traffic and a number
 * @param source the number of the sending host
 * @param destination the number of the receiving host
 * @param bytes its size, or {@link Traffic#UNLIMITED_BYTES}
 * @param schedule when it starts, stops and pauses
 * @param protocol what schedules it
 */
public record FlowPlan(String id, int source, int destination, long bytes, Schedule schedule, ProtocolConfig protocol) {
    /**
     * When a flow does what.
     *
     * @param startNanos when it starts
     * @param stopNanos when it stops if it is not done, or NO_DEADLINE
     * @param onNanos for how long it has something to send ...
     * @param offNanos ... before it pauses for so long; 0 for never
     */
    public record Schedule(long startNanos, long stopNanos, long onNanos, long offNanos) {}

    /** {@return when it starts} */
    public long startNanos() {
        return schedule.startNanos();
    }

    /** {@return whether it ends by itself} */
    public boolean isLimited() {
        return bytes != Traffic.UNLIMITED_BYTES;
    }
}
