package io.weir.cli.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.scenario.Scenario;
import io.weir.transport.scenario.result.FlowResult;
import io.weir.transport.scenario.result.PortResult;
import io.weir.transport.scenario.result.ScenarioResult;
import io.weir.transport.sim.world.Simulation;
import java.util.Comparator;
import org.junit.jupiter.api.Test;

/**
 * Calls over so many connections that their standing credits alone fill a link: a flow that has none must not wait
 * forever for a meter that is charged for those that have.
 */
class CallsFillTheLinkTest {
    /**
     * The standing credits' 12,304 B, and what one twentieth of the link, which the meter leaves free for frames
     * without a credit and calls fill, brings until the long flow is overdue: after 2 x 128 frames' time.
     */
    private static final double QUEUE_BYTES_MAX = 12_304 + 0.05 * 256 * 1_538;

    private static ScenarioResult play(String traffic) {
        Scenario scenario =
                ScenarioFile.parse("calls", """
                duration: 5ms
                topology: {kind: star, hosts: 4, rate: 10Gbps, delay: 1us}
                protocol: weir
                measure: {warmUp: 500us}
                traffic:
                %s
                """.formatted(traffic.indent(2))).scenario();
        return Simulation.run(scenario, () -> 0, Simulation.Progress.UNWATCHED);
    }

    private static long queueBytesMax(ScenarioResult result) {
        return result.ports().stream()
                .max(Comparator.comparingLong(PortResult::queueBytesMax))
                .orElseThrow()
                .queueBytesMax();
    }

    @Test
    void longFlow_nextToThem_getsAQuarterOfItsShareAtLeast() {
        ScenarioResult result = play("""
                - {kind: calls, id: rpc, from: h1, to: h4, connections: 128, request: 1KB, response: 64B, rounds: 10000}
                - {kind: flows, id: long, from: h2, to: h4, count: 1, size: 100MB, start: 1ms}
                """);
        FlowResult flow = result.flows().get(0);
        double fairBps = 10e9 / 129;
        double bps = flow.goodputBps();
        assertTrue(bps >= fairBps / 4, bps + " of " + fairBps);
        assertTrue(queueBytesMax(result) <= QUEUE_BYTES_MAX, queueBytesMax(result) + " B");
    }

    @Test
    void calls_allAtOnce_noneStarves() {
        ScenarioResult result = play("""
                - {kind: calls, id: rpc, from: h1, to: h4, connections: 128, request: 64B, response: 64B, rounds: 16}
                """);
        assertEquals(128 * 16, result.calls().get(0).completionNanos().count());
        double longestNanos = result.calls().get(0).completionNanos().max();
        // A connection's four frames of 64 B take 4 x 70 ns.
        assertTrue(longestNanos <= 128 * 4 * 70, longestNanos + " ns");
    }
}
