package io.weir.transport.sim.world;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.protocol.Settings;
import io.weir.transport.protocol.expresspass.ExpressPass;
import io.weir.transport.protocol.expresspass.ExpressPass.Rule;
import io.weir.transport.scenario.Measurement;
import io.weir.transport.scenario.PortSpec;
import io.weir.transport.scenario.Scenario;
import io.weir.transport.scenario.Traffic;
import io.weir.transport.scenario.result.PortResult;
import io.weir.transport.scenario.result.ScenarioResult;
import io.weir.transport.scenario.topology.LinkTemplate;
import io.weir.transport.testing.Scenarios;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The simulator next to that with which the authors published ExpressPass: N flows of unlimited size between two
 * switches, 10 Gbit/s and 8 us everywhere, credits of 84 to 92 B, alpha and w at first 1/16, by three rules. The
 * reference figures are the share of the bottleneck that data frames fill, as measured there with only the rule
 * changed.
 */
class ReferenceSimulatorTest {
    private static final long MILLISECOND = 1_000_000;
    private static final double ALPHA = 1.0 / 16;

    private static Settings config(String rule) {
        Settings start =
                switch (rule) {
                    case "released" -> ExpressPass.authors();
                    case "letter" -> ExpressPass.authors().choosing(ExpressPass.FEEDBACK, Rule.ALGORITHM1);
                    default ->
                        ExpressPass.authors()
                                .choosing(ExpressPass.FEEDBACK, Rule.ALGORITHM1)
                                .with(ExpressPass.CURRENT_RATE_ONLY, true);
                };
        return start.named(rule)
                .with(ExpressPass.W_INIT, ALPHA)
                .with(ExpressPass.ALPHA, ALPHA)
                .with(ExpressPass.LARGEST, 92);
    }

    private static Scenario scenario(int flows, String rule) {
        PortSpec port = Scenarios.authorsPort();
        return Scenarios.dumbbell(flows, new LinkTemplate(Scenarios.RATE_BPS, 8_000, port))
                .flows("f", config(rule), Traffic.UNLIMITED_BYTES)
                .measured(new Measurement(0, 60 * MILLISECOND, false, false))
                .lasting(260 * MILLISECOND);
    }

    @ParameterizedTest
    @CsvSource({
        "released, 2, 0.946", "released, 4, 0.942", "released, 16, 0.915", "released, 64, 0.946",
        "letter, 2, 0.876", "letter, 4, 0.797", "letter, 16, 0.787", "letter, 64, 0.946",
        "current rate, 2, 0.946", "current rate, 4, 0.946", "current rate, 16, 0.946", "current rate, 64, 0.946"
    })
    void utilization_ofEachRule_isTheReferenceSimulatorsWithinOnePercent(String rule, int flows, double reference) {
        ScenarioResult result = Simulation.run(scenario(flows, rule), () -> 0, Simulation.Progress.UNWATCHED);
        PortResult bottleneck = result.ports().stream()
                .filter(port -> port.node().equals("left") && port.port().equals("right"))
                .findFirst()
                .orElseThrow();
        assertEquals(reference, bottleneck.utilization(), 0.01 * reference, rule + ", " + flows + " flows");
        assertTrue(
                result.summary().jainIndex() > 0.9,
                "Jain's index " + result.summary().jainIndex());
        assertEquals(0, result.summary().dataDrops());
    }
}
