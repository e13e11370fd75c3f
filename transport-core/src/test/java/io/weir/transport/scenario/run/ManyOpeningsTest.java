package io.weir.transport.scenario.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.protocol.catalogue.Catalogue;
import io.weir.transport.protocol.credit.CreditSettings;
import io.weir.transport.scenario.HostSpec;
import io.weir.transport.scenario.Measurement;
import io.weir.transport.scenario.Network;
import io.weir.transport.scenario.PortSpec;
import io.weir.transport.scenario.Scenario;
import io.weir.transport.scenario.Traffic;
import io.weir.transport.scenario.result.FlowResult;
import io.weir.transport.scenario.result.PortResult;
import io.weir.transport.scenario.result.ScenarioResult;
import io.weir.transport.scenario.topology.Lines;
import io.weir.transport.scenario.topology.LinkTemplate;
import io.weir.transport.sim.world.Simulation;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Opens thousands of connections at once through one port of 10 Gbps with a queue of 384.5 KB, each for one message:
 * nothing may be dropped, and the last message must arrive within 1.2 times the 2.7 ms that the credits for all of them
 * take at the port.
 */
class ManyOpeningsTest {
    private static final int OPENINGS = 2_048;
    private static final long RATE_BPS = 10_000_000_000L;
    private static final long MILLI = 1_000_000;
    private static final long DONE_NANOS_MAX = 3_240_000;
    /** All openings wait in the queue at once, and little else does. */
    private static final long QUEUE_BYTES_MAX = 320_000;

    private static final LinkTemplate LINK = link(2_000);

    private static LinkTemplate link(long delayNanos) {
        return new LinkTemplate(RATE_BPS, delayNanos, new PortSpec(384_500, CreditSettings.DEFAULT, null));
    }

    private static ScenarioResult play(Network network, List<String> to, long bytes) {
        return play(network, to, bytes, 1);
    }

    private static ScenarioResult play(Network network, List<String> to, long bytes, long seed) {
        Traffic flows = Traffic.Flows.of(
                        "f",
                        IntStream.rangeClosed(1, OPENINGS)
                                .mapToObj(i -> "h" + i)
                                .toList(),
                        to,
                        Catalogue.find("expresspass").orElseThrow())
                .withBytes(bytes);
        Scenario scenario = new Scenario(
                "openings",
                "",
                seed,
                40 * MILLI,
                true,
                network,
                List.of(flows),
                List.of(),
                new Measurement(0, 0, false, false));
        return Simulation.run(scenario, () -> 0, Simulation.Progress.UNWATCHED);
    }

    private static void requireAllOpenedWithoutADrop(ScenarioResult result) {
        PortResult fullest = result.ports().stream()
                .max(Comparator.comparingLong(PortResult::queueBytesMaxWholeRun))
                .orElseThrow();
        String queue = fullest.queueBytesMaxWholeRun() + " B of " + fullest.longestQueue();
        long doneNanos = result.flows().stream()
                .mapToLong(flow -> flow.completionNanos() == null ? Long.MAX_VALUE : flow.completionNanos())
                .max()
                .orElseThrow();
        assertEquals(
                OPENINGS, result.flows().stream().map(FlowResult::id).distinct().count());
        assertEquals(0, result.summary().dataDrops(), queue);
        assertTrue(doneNanos <= DONE_NANOS_MAX, "the last one is done after " + doneNanos + " ns; " + queue);
        assertTrue(fullest.queueBytesMaxWholeRun() <= QUEUE_BYTES_MAX, queue);
    }

    /** One host is opened to by all, and its own meter is the only one that credits meet. */
    @Test
    void open_toOneHost_dropsNothingAndWaitsForCreditsAlone() {
        Network star = Lines.star(OPENINGS + 1, HostSpec.named(""), LINK);
        String server = "h" + (OPENINGS + 1);
        requireAllOpenedWithoutADrop(play(star, List.of(server), 1_000));
        requireAllOpenedWithoutADrop(play(star, List.of(server), 1_424));
    }

    /** Each host opens to another, over one trunk: no responder sees that there are many. */
    @Test
    void open_pairsOverOneTrunk_dropsNothingAndWaitsForCreditsAlone() {
        requireAllOpenedWithoutADrop(playPairs(LINK, 1));
    }

    /**
     * Pairs with a round trip of 60 us. Were probes to stay in step, the last flow would be done after 3.5 to 3.9 ms.
     */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void open_pairsFurtherApart_probesSpreadOut(long seed) {
        requireAllOpenedWithoutADrop(playPairs(link(10_000), seed));
    }

    private static ScenarioResult playPairs(LinkTemplate link, long seed) {
        Network dumbbell = Lines.dumbbell(OPENINGS, HostSpec.named(""), link, link);
        List<String> right = IntStream.rangeClosed(OPENINGS + 1, 2 * OPENINGS)
                .mapToObj(i -> "h" + i)
                .toList();
        return play(dumbbell, right, 1_000, seed);
    }
}
