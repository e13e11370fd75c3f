package io.weir.transport.scenario.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.pacer.PauseBudget;
import io.weir.transport.protocol.catalogue.Catalogue;
import io.weir.transport.scenario.HostSpec;
import io.weir.transport.scenario.Measurement;
import io.weir.transport.scenario.Network;
import io.weir.transport.scenario.PauseTrace;
import io.weir.transport.scenario.PauseTraces;
import io.weir.transport.scenario.Pauses;
import io.weir.transport.scenario.PortSpec;
import io.weir.transport.scenario.Scenario;
import io.weir.transport.scenario.Traffic;
import io.weir.transport.scenario.result.PortResult;
import io.weir.transport.scenario.result.ScenarioResult;
import io.weir.transport.scenario.topology.Lines;
import io.weir.transport.scenario.topology.LinkTemplate;
import io.weir.transport.sim.world.Simulation;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Plays a network like the demonstration's, a trunk of 1 Gbps between hosts at 10 Gbps, whose hosts and switches lose
 * their cores as recorded, and asks of each seed that no data is dropped.
 */
class PausesDropNothingTest {
    private static final long MILLI = 1_000_000;
    private static final long RUN_NANOS = 200 * MILLI;
    private static final int FLOWS = 16;
    private static final long FRAME_BYTES = 1538;
    private static final List<String> TRACES = List.of("spinner", "build");
    private static final long SEEDS = 3;

    private static Pauses recorded(String name) throws IOException {
        try (InputStream in = PauseTraces.class.getResourceAsStream(PauseTraces.resourceOf(name))) {
            PauseTrace trace = PauseTraces.parse(name, new String(in.readAllBytes(), StandardCharsets.UTF_8));
            return Pauses.of(trace);
        }
    }

    private static ScenarioResult play(int pairs, Pauses hosts, Pauses switches, long seed) {
        Network network = Lines.dumbbell(
                        pairs,
                        HostSpec.named("").withPauses(hosts),
                        new LinkTemplate(10_000_000_000L, 25_000, PortSpec.DEFAULT),
                        new LinkTemplate(1_000_000_000L, 1_000, PortSpec.DEFAULT))
                .withSwitchPauses(switches);
        Traffic flows = Traffic.Flows.of(
                "f",
                names(1, pairs),
                names(pairs + 1, 2 * pairs),
                Catalogue.find("expresspass").orElseThrow());
        Scenario scenario = new Scenario(
                "pauses",
                "",
                seed,
                RUN_NANOS,
                false,
                network,
                List.of(flows),
                List.of(),
                new Measurement(0, 0, false, false));
        return Simulation.run(scenario, () -> 0, Simulation.Progress.UNWATCHED);
    }

    /** {@return the names of the hosts of sixteen flows} */
    private static List<String> names(int first, int last) {
        return first == last
                ? Collections.nCopies(FLOWS, "h" + first)
                : IntStream.rangeClosed(first, last).mapToObj(i -> "h" + i).toList();
    }

    private static long queueBytesMax(ScenarioResult result) {
        return result.ports().stream()
                .mapToLong(PortResult::queueBytesMax)
                .max()
                .orElseThrow();
    }

    @Test
    void play_hostsPauseWithManyFlows_queueHoldsTheBudgetOfOneHost() throws IOException {
        for (String trace : TRACES) {
            for (long seed = 1; seed <= SEEDS; seed++) {
                ScenarioResult result = play(1, recorded(trace), Pauses.NONE, seed);
                assertEquals(0, result.summary().dataDrops(), trace + ", seed " + seed);
                long bytes = queueBytesMax(result);
                assertTrue(
                        bytes <= PauseBudget.DEFAULT.bytes() + 2 * FRAME_BYTES,
                        trace + ", seed " + seed + ": " + bytes);
            }
        }
    }

    @Test
    void play_allPauseWithManyFlows_dropsNothing() throws IOException {
        for (String trace : TRACES) {
            for (long seed = 1; seed <= SEEDS; seed++) {
                Pauses pauses = recorded(trace);
                ScenarioResult result = play(1, pauses, pauses, seed);
                assertEquals(0, result.summary().dataDrops(), trace + ", seed " + seed);
            }
        }
    }

    @Test
    void play_manyHostsAndSwitchesPause_dropsNothing() throws IOException {
        for (long seed = 1; seed <= SEEDS; seed++) {
            Pauses pauses = recorded("spinner");
            ScenarioResult result = play(FLOWS, pauses, pauses, seed);
            assertEquals(0, result.summary().dataDrops(), "seed " + seed);
        }
    }
}
