package io.weir.transport.sim.world;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.protocol.expresspass.ExpressPassConfig;
import io.weir.transport.scenario.Scenario;
import io.weir.transport.scenario.result.ScenarioResult;
import io.weir.transport.testing.Scenarios;
import org.junit.jupiter.api.Test;

/** Whole scenarios in virtual time. */
class SimulationTest {
    private static final long MILLISECOND = 1_000_000;

    private static ScenarioResult run(Scenario scenario) {
        return Simulation.run(scenario, () -> 0, Simulation.Progress.UNWATCHED);
    }

    @Test
    void run_limitedFlowsOnADumbbell_allComplete() {
        Scenario scenario = Scenarios.dumbbell(2)
                .flows("f", ExpressPassConfig.weir(), 1_000_000)
                .untilDone(20 * MILLISECOND);
        ScenarioResult result = run(scenario);
        assertTrue(result.complete());
        assertEquals(2, result.flows().size());
        result.flows().forEach(flow -> {
            assertEquals(1_000_000, flow.bytes());
            assertTrue(flow.completionNanos() < 3 * MILLISECOND, flow.toString());
        });
        assertEquals(java.util.List.of(), result.problems());
    }

    @Test
    void run_interrupted_saysWhatWasThere() {
        Scenario scenario = Scenarios.dumbbell(2)
                .flows("f", ExpressPassConfig.weir(), 100_000_000)
                .untilDone(20 * MILLISECOND);
        ScenarioResult result = Simulation.run(scenario, () -> 0, (nowNanos, durationNanos) -> nowNanos < MILLISECOND);
        assertFalse(result.complete());
        assertEquals(MILLISECOND, result.run().virtualNanos());
        assertTrue(result.flows().get(0).bytes() > 0);
    }
}
