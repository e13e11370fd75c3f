package io.weir.transport.sim.world;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.protocol.expresspass.ExpressPass;
import io.weir.transport.scenario.Scenario;
import io.weir.transport.scenario.Traffic;
import io.weir.transport.testing.Allocations;
import io.weir.transport.testing.Scenarios;
import org.junit.jupiter.api.Test;

/** A whole simulated scenario in steady state allocates nothing: Nodes, links, events, trace hash and queue meters. */
class SimulationAllocationTest {
    private static final long STEP_NANOS = 1_000_000;
    /** Until the records of frames in flight have grown to their size. */
    private static final int WARM_STEPS = 400;

    private static final int STEPS = 60;
    private static final int WINDOWS = 4;

    @Test
    void run_millionPacketHops_allocatesNothing() {
        Scenario scenario = Scenarios.dumbbell(16)
                .flows("f", ExpressPass.weir(), Traffic.UNLIMITED_BYTES)
                .lasting(1_000_000_000);
        try (Simulation simulation = new Simulation(scenario, () -> 0)) {
            SimWorld world = simulation.world();
            Runnable step = () -> world.simulator().run(world.nowNanos() + STEP_NANOS);
            for (int i = 0; i < WARM_STEPS; i++) {
                step.run();
            }
            long before = world.simulator().frameCount();
            assertEquals(0, Allocations.fewestOf(WINDOWS, STEPS, step));
            long hops = world.simulator().frameCount() - before;
            assertTrue(hops > 1_000_000, hops + " packet-hops");
        }
    }
}
