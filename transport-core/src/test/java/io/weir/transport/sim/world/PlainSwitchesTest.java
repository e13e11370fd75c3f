package io.weir.transport.sim.world;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.protocol.ProtocolConfig;
import io.weir.transport.protocol.expresspass.ExpressPass;
import io.weir.transport.scenario.HostSpec;
import io.weir.transport.scenario.Measurement;
import io.weir.transport.scenario.PortSpec;
import io.weir.transport.scenario.Traffic;
import io.weir.transport.scenario.result.PortResult;
import io.weir.transport.scenario.result.ScenarioResult;
import io.weir.transport.scenario.topology.Lines;
import io.weir.transport.scenario.topology.LinkTemplate;
import io.weir.transport.testing.Scenarios;
import io.weir.transport.testing.SharedLink;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests flows of the default rule through switches that meter no credits, over a trunk that is slower than the hosts:
 * what is too much is lost as data.
 */
class PlainSwitchesTest {
    /** How many full frames the trunk could carry in the second half of a run, which counts. */
    private static final long TRUNK_FRAMES = 20_000;

    private static final long WIRE_BITS = 8 * 1_538;
    private static final int QUEUE_BYTES = 200_000;

    private static ScenarioResult run(ProtocolConfig protocol, int flows, long hostBps, long trunkBps, long seed) {
        long halfNanos = TRUNK_FRAMES * WIRE_BITS * 1_000_000_000L / trunkBps;
        PortSpec plain = new PortSpec(QUEUE_BYTES, SharedLink.port().credits(), null);
        Scenarios scenarios = new Scenarios(Lines.dumbbell(
                        flows,
                        HostSpec.named(""),
                        new LinkTemplate(hostBps, 20_000),
                        new LinkTemplate(trunkBps, 20_000, plain)))
                .seed(seed)
                .flows("f", protocol, Traffic.UNLIMITED_BYTES)
                .measured(new Measurement(0, halfNanos, false, false));
        return Simulation.run(scenarios.lasting(2 * halfNanos), () -> 0, Simulation.Progress.UNWATCHED);
    }

    @ParameterizedTest
    @CsvSource({
        "1, 10e9, 1e9, 0.05", "4, 10e9, 1e9, 0.08", "16, 10e9, 1e9, 0.15",
        "1, 10e9, 1e8, 0.05", "4, 10e9, 1e8, 0.08", "16, 10e9, 1e8, 0.15",
        "1, 40e9, 1e10, 0.05", "4, 40e9, 1e10, 0.08", "16, 40e9, 1e10, 0.15"
    })
    void run_trunkSlowerThanHosts_isFullAndLosesLittle(int flows, double hostBps, double trunkBps, double lostMax) {
        for (long seed = 1; seed <= 3; seed++) {
            ScenarioResult result = run(ExpressPass.weir(), flows, (long) hostBps, (long) trunkBps, seed);
            PortResult trunk = SharedLink.shared(result);
            double lost = (double) trunk.dataDrops() / (trunk.dataDrops() + TRUNK_FRAMES);
            assertTrue(lost <= lostMax, "lost " + lost + " with seed " + seed + ": " + trunk);
            double goodput = result.summary().goodputBps() * SharedLink.WIRE_PER_PAYLOAD / trunkBps;
            assertTrue(goodput >= 0.9, "goodput " + goodput + " of the trunk with seed " + seed);
            double jain = result.summary().jainIndex();
            assertTrue(jain >= 0.85, "Jain's index " + jain + " with seed " + seed);
        }
    }
}
