package io.weir.papers.dx;

import io.weir.transport.scenario.result.PortResult;
import io.weir.transport.scenario.result.ScenarioResult;
import java.util.Comparator;

/**
 * The port that the flows of a run share: the busiest of all switches. Queues in full frames.
 *
 * @param utilization the share of its link that was used
 * @param mean its mean queue
 */
record SharedPort(double utilization, double mean) {
    static SharedPort of(ScenarioResult result) {
        PortResult port = result.ports().stream()
                .max(Comparator.comparingDouble(PortResult::utilization))
                .orElseThrow();
        return new SharedPort(port.utilization(), port.queueBytesMean() / Protocols.FRAME_BYTES);
    }
}
