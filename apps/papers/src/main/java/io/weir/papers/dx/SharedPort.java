package io.weir.papers.dx;

import io.weir.transport.scenario.result.PortResult;
import io.weir.transport.scenario.result.ScenarioResult;
import java.util.Comparator;

/**
 * The port that the flows of a run share: the busiest of all switches. Queues in full frames.
 *
 * @param utilization the share of its link that was used
 * @param mean its mean queue
 * @param p50 the queue that it did not exceed for half of the time
 * @param p99 the queue that it did not exceed for 99 % of the time
 * @param max its longest queue
 */
record SharedPort(double utilization, double mean, double p50, double p99, double max) {
    static SharedPort of(ScenarioResult result) {
        PortResult port = result.ports().stream()
                .max(Comparator.comparingDouble(PortResult::utilization))
                .orElseThrow();
        return new SharedPort(
                port.utilization(),
                port.queueBytesMean() / Protocols.FRAME_BYTES,
                Math.floor(port.queueBytesP50() / Protocols.FRAME_BYTES),
                Math.floor(port.queueBytesP99() / Protocols.FRAME_BYTES),
                port.queueBytesMax() / Protocols.FRAME_BYTES);
    }
}
