package io.weir.transport.scenario.result;

import java.util.List;

/**
 * What was measured in intervals.
 *
 * @param intervalNanos the length of an interval
 * @param totalGoodputBps the goodput of all flows, interval by interval
 * @param flows the goodput of each flow, if asked for
 * @param ports the largest queue of each port, if asked for
 */
public record Series(long intervalNanos, List<Double> totalGoodputBps, List<FlowSeries> flows, List<PortSeries> ports) {
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
