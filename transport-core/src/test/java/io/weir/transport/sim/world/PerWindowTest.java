package io.weir.transport.sim.world;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.protocol.catalogue.Catalogue;
import io.weir.transport.scenario.HostSpec;
import io.weir.transport.scenario.Measurement;
import io.weir.transport.scenario.Traffic;
import io.weir.transport.scenario.result.ScenarioResult;
import io.weir.transport.scenario.result.Series;
import io.weir.transport.scenario.topology.Lines;
import io.weir.transport.scenario.topology.LinkTemplate;
import io.weir.transport.testing.Scenarios;
import io.weir.transport.testing.SharedLink;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Series that have what senders knew, next to what was so: DX's two flows over 10 Gbit/s. */
class PerWindowTest {
    private static final long MILLISECOND = 1_000_000;

    private static ScenarioResult run(boolean perWindow) {
        LinkTemplate link = new LinkTemplate(10_000_000_000L, 10_000, SharedLink.port());
        return Simulation.run(
                new Scenarios(Lines.dumbbell(2, HostSpec.named(""), link, link))
                        .measured(new Measurement(100_000, 5 * MILLISECOND, false, false, perWindow))
                        .with(Traffic.Flows.of(
                                        "flow",
                                        List.of("h1", "h2"),
                                        List.of("h3", "h4"),
                                        Catalogue.find("dx").orElseThrow())
                                .withCount(2)
                                .withStart(new Traffic.Times(0, 0, 0)))
                        .lasting(10 * MILLISECOND),
                () -> 0,
                Simulation.Progress.UNWATCHED);
    }

    @Test
    void series_notAskedFor_hasNoWindows() {
        assertNull(run(false).series().windows());
    }

    @Test
    void series_askedFor_isTheSameRun() {
        assertEquals(run(false).run().traceHash(), run(true).run().traceHash());
    }

    @Test
    void series_askedFor_hasWindowsRoundsAndMeanQueues() {
        Series.Windows windows = run(true).series().windows();
        for (Series.FlowWindows flow : windows.flows()) {
            assertEquals(100, flow.windowBytes().size());
            assertTrue(
                    flow.windowBytes().get(99) > 10 * 1_424, flow.windowBytes().toString());
            assertTrue(flow.baseRttNanos() > 60_000 && flow.baseRttNanos() < 70_000, flow.baseRttNanos() + " ns");
            for (Series.Round round : flow.rounds()) {
                assertTrue(round.sentNanos().get(0) >= 5 * MILLISECOND, round.toString());
                assertEquals(round.frames(), round.sentNanos().size());
                assertTrue(round.rttNanos() >= flow.baseRttNanos(), round.toString());
            }
        }
        List<Double> queue = windows.ports().stream()
                .filter(port -> port.node().equals("left") && port.port().equals("right"))
                .findFirst()
                .orElseThrow()
                .queueBytes();
        assertEquals(0, queue.get(49));
        assertTrue(queue.stream().skip(50).mapToDouble(bytes -> bytes).average().orElse(0) > 100, queue.toString());
    }
}
