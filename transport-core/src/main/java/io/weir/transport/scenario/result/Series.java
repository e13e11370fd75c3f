package io.weir.transport.scenario.result;

import java.util.List;

/**
 * What was measured in intervals.
 *
 * @param intervalNanos the length of an interval
 * @param totalGoodputBps the goodput of all flows, interval by interval
 * @param flows the goodput of each flow, if asked for
 * @param ports the largest queue of each port, if asked for
 * @param windows what flows knew and what queues were, or null unless asked for
 */
public record Series(
        long intervalNanos,
        List<Double> totalGoodputBps,
        List<FlowSeries> flows,
        List<PortSeries> ports,
        Windows windows) {
    /** A series without windows. */
    public Series(long intervalNanos, List<Double> totalGoodputBps, List<FlowSeries> flows, List<PortSeries> ports) {
        this(intervalNanos, totalGoodputBps, flows, ports, null);
    }

    /**
     * What senders knew, next to what was so.
     *
     * @param flows each flow
     * @param ports each port of a switch
     */
    public record Windows(List<FlowWindows> flows, List<QueueMeans> ports) {}

    /**
     * The windows of a flow.
     *
     * @param id its name
     * @param baseRttNanos its shortest round trip, 0 if there was none
     * @param windowBytes its window at the end of each interval
     * @param rounds one window after the other, from the end of the warm-up on
     */
    public record FlowWindows(String id, long baseRttNanos, List<Long> windowBytes, List<Round> rounds) {}

    /**
     * One window's frames, and what their acknowledgements told.
     *
     * @param sentNanos when those left whose acknowledgements had time stamps
     * @param frames how many arrived
     * @param markedFrames how many of these were marked
     * @param rttNanos their mean round trip
     */
    public record Round(List<Long> sentNanos, long frames, long markedFrames, double rttNanos) {}

    /**
     * The mean queue of a port of a switch, from the end of the warm-up on.
     *
     * @param node the switch
     * @param port the Node at the other end of the link
     * @param queueBytes the mean over each interval
     */
    public record QueueMeans(String node, String port, List<Double> queueBytes) {}

    /**
     * A flow.
     *
     * @param id its name
     * @param goodputBps interval by interval
     */
    public record FlowSeries(String id, List<Double> goodputBps) {}

    /**
     * A port of a switch.
     *
     * @param node the switch
     * @param port the Node at the other end of the link
     * @param queueBytes the most that was in the data queue, interval by interval
     * @param gauges what the protocols that have asked something of the port show of themselves
     */
    public record PortSeries(String node, String port, List<Long> queueBytes, List<GaugeSeries> gauges) {
        /** {@return the values of the gauge of a name; none if the port has no such} */
        public List<Long> gauge(String name) {
            return gauges.stream()
                    .filter(gauge -> gauge.name().equals(name))
                    .findFirst()
                    .map(GaugeSeries::values)
                    .orElse(List.of());
        }
    }

    /**
     * A quantity of a port.
     *
     * @param name what it is called
     * @param values what it stood at, at the end of each interval
     */
    public record GaugeSeries(String name, List<Long> values) {}
}
