package io.weir.transport.sim.world;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.protocol.ProtocolConfig;
import io.weir.transport.protocol.credit.CreditModel;
import io.weir.transport.protocol.expresspass.ExpressPass;
import io.weir.transport.scenario.HostSpec;
import io.weir.transport.scenario.Measurement;
import io.weir.transport.scenario.Network;
import io.weir.transport.scenario.PortSpec;
import io.weir.transport.scenario.Scenario;
import io.weir.transport.scenario.Traffic;
import io.weir.transport.scenario.result.FlowResult;
import io.weir.transport.scenario.result.ScenarioResult;
import io.weir.transport.scenario.topology.Lines;
import io.weir.transport.scenario.topology.LinkTemplate;
import io.weir.transport.testing.Scenarios;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that many flows that start at once do not flood their link with credits, and share it fairly. */
class ManyStartsTest {
    private static final long MICROSECOND = 1_000;
    private static final long MILLISECOND = 1_000_000;
    private static final Measurement FROM_THE_START = new Measurement(0, 0, false, false);

    private static Scenarios starts(ProtocolConfig protocol, PortSpec port, int flows, long spreadNanos) {
        LinkTemplate link = new LinkTemplate(Scenarios.RATE_BPS, 10_000, port);
        Network network = Lines.dumbbell(flows, HostSpec.named(""), link, link);
        List<String> names = network.hosts().stream().map(HostSpec::name).toList();
        return new Scenarios(network)
                .with(Traffic.Flows.of("f", names.subList(0, flows), names.subList(flows, 2 * flows), protocol)
                        .withStart(new Traffic.Times(0, 0, spreadNanos)));
    }

    private static ScenarioResult run(Scenario scenario) {
        return Simulation.run(scenario, () -> 0, Simulation.Progress.UNWATCHED);
    }

    private static Scenarios crowd() {
        PortSpec port = new PortSpec(1_538_000, PortSpec.DEFAULT.credits(), null);
        return starts(ExpressPass.weir(), port, 256, MILLISECOND);
    }

    @Test
    void run_256FlowsWithinAMillisecond_sendAtMostThreeCreditsPerFrame() {
        ScenarioResult result = run(crowd().measured(FROM_THE_START).lasting(100 * MILLISECOND));
        long sent =
                result.flows().stream().mapToLong(flow -> flow.credits().sent()).sum();
        long used = result.flows().stream()
                .map(FlowResult::credits)
                .mapToLong(FlowResult.Credits::used)
                .sum();
        assertTrue(sent <= 3 * used, sent + " credits for " + used + " frames");
        assertEquals(0, result.summary().dataDrops());
    }

    @Test
    void run_256FlowsWithinAMillisecond_areFairAfter20Milliseconds() {
        ScenarioResult result = run(crowd().measured(new Measurement(0, 20 * MILLISECOND, false, false))
                .lasting(60 * MILLISECOND));
        assertTrue(
                result.summary().jainIndex() >= 0.95,
                "Jain's index " + result.summary().jainIndex());
    }

    /** {@return Jain's index of the first 5 ms of flows that start within 10 us, the mean of six seeds} */
    private static double jainOfFirst(ProtocolConfig protocol, PortSpec port, int flows) {
        return IntStream.rangeClosed(1, 6)
                .mapToObj(seed -> starts(protocol, port, flows, 10 * MICROSECOND)
                        .seed(seed)
                        .measured(FROM_THE_START)
                        .lasting(5 * MILLISECOND))
                .mapToDouble(scenario -> run(scenario).summary().jainIndex())
                .average()
                .orElseThrow();
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 4, 8, 16, 32, 64})
    void run_flowsWithinTenMicroseconds_areAsFairAsWithThePapersRule(int flows) {
        double paper = jainOfFirst(ExpressPass.paper(), Scenarios.port(CreditModel.AUTHORS), flows);
        double weir = jainOfFirst(ExpressPass.weir(), PortSpec.DEFAULT, flows);
        assertTrue(weir >= 0.98 * paper, weir + " for " + paper);
    }
}
