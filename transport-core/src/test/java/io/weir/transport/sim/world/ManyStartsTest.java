package io.weir.transport.sim.world;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.protocol.expresspass.ExpressPass;
import io.weir.transport.scenario.HostSpec;
import io.weir.transport.scenario.Measurement;
import io.weir.transport.scenario.PortSpec;
import io.weir.transport.scenario.Traffic;
import io.weir.transport.scenario.result.FlowResult;
import io.weir.transport.scenario.result.ScenarioResult;
import io.weir.transport.scenario.topology.Lines;
import io.weir.transport.scenario.topology.LinkTemplate;
import io.weir.transport.testing.Scenarios;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests that many flows that start at once do not flood their link with credits, and share it fairly. */
class ManyStartsTest {
    private static final long MILLISECOND = 1_000_000;
    private static final int FLOWS = 256;
    /** 44 where a flow learns of its loss only from what comes back. */
    private static final double CREDITS_PER_FRAME_MAX = 25;

    private static final double JAIN_MIN = 0.95;

    @Test
    void run_manyFlowsWithinAMillisecond_sendFewCreditsPerFrame() {
        LinkTemplate link =
                new LinkTemplate(Scenarios.RATE_BPS, 10_000, new PortSpec(1_538_000, PortSpec.DEFAULT.credits(), null));
        List<String> names = Lines.dumbbell(FLOWS, HostSpec.named(""), link, link).hosts().stream()
                .map(HostSpec::name)
                .toList();
        ScenarioResult result = Simulation.run(
                new Scenarios(Lines.dumbbell(FLOWS, HostSpec.named(""), link, link))
                        .with(Traffic.Flows.of(
                                        "f",
                                        names.subList(0, FLOWS),
                                        names.subList(FLOWS, 2 * FLOWS),
                                        ExpressPass.weir())
                                .withStart(new Traffic.Times(0, 0, MILLISECOND)))
                        .measured(new Measurement(0, 5 * MILLISECOND, false, false))
                        .lasting(20 * MILLISECOND),
                () -> 0,
                Simulation.Progress.UNWATCHED);
        long sent =
                result.flows().stream().mapToLong(flow -> flow.credits().sent()).sum();
        long used = result.flows().stream()
                .map(FlowResult::credits)
                .mapToLong(FlowResult.Credits::used)
                .sum();
        assertTrue(sent <= CREDITS_PER_FRAME_MAX * used, sent + " credits for " + used + " frames");
        double jain = result.summary().jainIndex();
        assertTrue(jain >= JAIN_MIN, "Jain's index " + jain);
        assertEquals(0, result.summary().dataDrops());
    }
}
