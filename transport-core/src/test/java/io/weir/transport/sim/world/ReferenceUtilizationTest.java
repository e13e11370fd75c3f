package io.weir.transport.sim.world;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.protocol.credit.CreditModel;
import io.weir.transport.protocol.expresspass.ExpressPassConfig;
import io.weir.transport.protocol.expresspass.FeedbackConfig;
import io.weir.transport.scenario.HostSpec;
import io.weir.transport.scenario.Measurement;
import io.weir.transport.scenario.Scenario;
import io.weir.transport.scenario.Traffic;
import io.weir.transport.scenario.result.PortResult;
import io.weir.transport.scenario.result.ScenarioResult;
import io.weir.transport.scenario.topology.Lines;
import io.weir.transport.scenario.topology.LinkTemplate;
import io.weir.transport.testing.Scenarios;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The share of the bottleneck that data fills, beside what the simulator of ExpressPass's authors gives with the same
 * parameters: N long flows over one link of 10 Gbit/s, all links 8 us long, credits of 84 to 92 B, a target loss of 10 %,
 * alpha and w of 1/16, hosts that limit no credits. With their rule, and with the paper's Algorithm 1 to the letter in its place.
 */
class ReferenceUtilizationTest {
    private static final long MILLISECOND = 1_000_000;

    private static ExpressPassConfig config(FeedbackConfig rule) {
        return ExpressPassConfig.authors().toBuilder()
                .feedback(rule)
                .initialRateFraction(1.0 / 16)
                .creditWireBytes(84, 92)
                .build();
    }

    @ParameterizedTest
    @CsvSource({
        "2, AUTHORS, 0.946, 0.01",
        "4, AUTHORS, 0.942, 0.01",
        "16, AUTHORS, 0.915, 0.01",
        "64, AUTHORS, 0.946, 0.01",
        "2, LITERAL, 0.876, 0.01",
        "4, LITERAL, 0.797, 0.015",
        "16, LITERAL, 0.787, 0.01",
        "64, LITERAL, 0.946, 0.01"
    })
    void utilization_longFlows_isThatOfTheAuthorsSimulator(int flows, String rule, double reference, double tolerance) {
        FeedbackConfig feedback = "AUTHORS".equals(rule)
                ? new FeedbackConfig.Authors(0.1, 1.0 / 16, 0.01, 0.5, 0.05)
                : new FeedbackConfig.Algorithm1(0.1, 1.0 / 16, 0.01, 0.5, false);
        LinkTemplate edge = new LinkTemplate(
                Scenarios.RATE_BPS, 8_000, 1_500, Scenarios.port(CreditModel.OFF), Scenarios.authorsPort());
        LinkTemplate trunk = new LinkTemplate(Scenarios.RATE_BPS, 8_000, Scenarios.authorsPort());
        Scenario scenario = new Scenarios(Lines.dumbbell(flows, HostSpec.named(""), edge, trunk))
                .flows("f", config(feedback), Traffic.UNLIMITED_BYTES)
                .measured(new Measurement(0, 20 * MILLISECOND, false, false))
                .lasting(100 * MILLISECOND);
        ScenarioResult result = Simulation.run(scenario, () -> 0, Simulation.Progress.UNWATCHED);
        PortResult bottleneck = result.ports().stream()
                .filter(port -> port.node().equals("left") && port.port().equals("right"))
                .findFirst()
                .orElseThrow();
        assertEquals(reference, bottleneck.utilization(), tolerance * reference);
        assertEquals(0, result.summary().dataDrops());
        assertTrue(bottleneck.queueBytesMax() <= 3_200, bottleneck.toString());
    }
}
