package io.weir.cli.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.scenario.Scenario;
import io.weir.transport.scenario.result.ScenarioResult;
import io.weir.transport.sim.world.Simulation;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Calls over so many connections that each waits for its host's own link for longer than an acknowledgement may, and
 * longer than a sender waits before it asks for the window: neither must leave by itself ahead of the data that waits,
 * or frames multiply, all wait longer, and more of them are due. A host that is slow has the same queue.
 */
class CallsWaitForTheLinkTest {
    private static final int CONNECTIONS = 512;
    private static final int ROUNDS = 32;
    /** To the switch, and from there. */
    private static final int HOPS = 2;
    /** A request and a response. */
    private static final int MESSAGES = 2 * CONNECTIONS * ROUNDS;
    /** OPEN, ACCEPT, and one each that is repeated since it waits as all else does; the last acknowledgements. */
    private static final int OTHER_FRAMES_MAX = 6 * CONNECTIONS;

    @ParameterizedTest
    @ValueSource(strings = {"dctcp", "dx"})
    void calls_overManyConnections_takeAFrameForAMessage(String protocol) {
        Scenario scenario = ScenarioFile.parse("calls", """
                duration: 10s
                endsWhenDone: true
                topology: {kind: star, hosts: 2, rate: 100Mbps, delay: 1us}
                protocol: %s
                traffic:
                  - {kind: calls, id: rpc, from: h1, to: h2, connections: %d, request: 64B, response: 64B, rounds: %d}
                """.formatted(protocol, CONNECTIONS, ROUNDS))
                .scenario();
        ScenarioResult result = Simulation.run(scenario, () -> 0, Simulation.Progress.UNWATCHED);
        assertEquals(
                CONNECTIONS * ROUNDS, result.calls().get(0).completionNanos().count());
        long frames = result.run().packetHops() / HOPS;
        assertTrue(frames <= MESSAGES + OTHER_FRAMES_MAX, frames + " frames for " + MESSAGES + " messages");
    }
}
