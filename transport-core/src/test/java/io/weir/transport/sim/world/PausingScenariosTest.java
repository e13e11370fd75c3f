package io.weir.transport.sim.world;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.protocol.ProtocolConfig;
import io.weir.transport.protocol.catalogue.Catalogue;
import io.weir.transport.protocol.expresspass.ExpressPass;
import io.weir.transport.scenario.Fault;
import io.weir.transport.scenario.HostSpec;
import io.weir.transport.scenario.Measurement;
import io.weir.transport.scenario.PauseTrace;
import io.weir.transport.scenario.PauseTrace.Span;
import io.weir.transport.scenario.Pauses;
import io.weir.transport.scenario.Scenario;
import io.weir.transport.scenario.Traffic;
import io.weir.transport.scenario.result.PauseResult;
import io.weir.transport.scenario.result.ScenarioResult;
import io.weir.transport.scenario.topology.Lines;
import io.weir.transport.scenario.topology.LinkTemplate;
import io.weir.transport.testing.Golden;
import io.weir.transport.testing.ScenarioTable;
import io.weir.transport.testing.Scenarios;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests scenarios whose hosts and switches pause. */
class PausingScenariosTest {
    private static final long MILLISECOND = 1_000_000;
    private static final long MEGABYTE = 1_000_000;
    private static final LinkTemplate EDGE = new LinkTemplate(Scenarios.RATE_BPS, 4_000);
    private static final LinkTemplate TRUNK = new LinkTemplate(1_000_000_000L, 4_000);

    /** As a loop that shares its core at 1000 Hz. */
    private static final Pauses SHARED = Pauses.of(
            new PauseTrace("shared", "", List.of(new Span(1_000_000, 900_000), new Span(500_000, 1_100_000))));

    private static Scenarios dumbbell(Pauses hosts, Pauses switches) {
        HostSpec host = HostSpec.named("").withPauses(hosts);
        return new Scenarios(Lines.dumbbell(2, host, EDGE, TRUNK).withSwitchPauses(switches));
    }

    private static ScenarioResult run(Scenario scenario) {
        return Simulation.run(scenario, () -> 0, Simulation.Progress.UNWATCHED);
    }

    private static Scenario longFlows(Scenarios scenarios, ProtocolConfig protocol) {
        return scenarios
                .flows("f", protocol, Traffic.UNLIMITED_BYTES)
                .measured(new Measurement(0, 4 * MILLISECOND, false, false))
                .lasting(12 * MILLISECOND);
    }

    @Test
    void run_hostsAndSwitchesPause_findsWhatTheGoldenFileHas() {
        ScenarioResult result = run(longFlows(dumbbell(SHARED, SHARED), ExpressPass.weir()));
        StringBuilder table = new StringBuilder(ScenarioTable.of(result));
        result.pauses().forEach(node -> table.append(node).append('\n'));
        Golden.requireEqual("scenarios/pausing-2.txt", table.toString());
    }

    static List<String> words() {
        return Catalogue.protocolNames();
    }

    @ParameterizedTest
    @MethodSource("words")
    void run_traceWithoutPauses_changesNoFrame(String word) {
        ProtocolConfig protocol = Catalogue.find(word).orElseThrow();
        Pauses zeros = Pauses.NONE
                .withTrace(new PauseTrace("zeros", "", List.of(new Span(1_000, 0), new Span(7, 0))))
                .withRingFrames(64);
        ScenarioResult without = run(longFlows(dumbbell(Pauses.NONE, Pauses.NONE), protocol));
        ScenarioResult with = run(longFlows(dumbbell(zeros, zeros), protocol));
        assertEquals(without.run().traceHash(), with.run().traceHash());
        assertEquals(without.summary(), with.summary());
        assertEquals(List.of(), without.pauses());
        assertEquals(new PauseResult("h1", 0, 0, 0, 0), with.pauses().get(0));
    }

    @ParameterizedTest
    @MethodSource("words")
    void run_everythingPauses_deliversEverything(String word) {
        Scenario scenario = dumbbell(SHARED, SHARED)
                .flows("f", Catalogue.find(word).orElseThrow(), MEGABYTE)
                .untilDone(2_000 * MILLISECOND);
        ScenarioResult result = run(scenario);
        assertEquals(List.of(), result.problems());
        assertEquals(
                2, result.summary().completionNanos().get(0).completionNanos().count());
    }

    @Test
    void run_anotherSeed_beginsElsewhereInTheTrace() {
        Scenario scenario = longFlows(dumbbell(SHARED, Pauses.NONE), ExpressPass.weir());
        assertEquals(run(scenario).run().traceHash(), run(scenario).run().traceHash());
        assertNotEquals(
                run(scenario).run().traceHash(), run(scenario.withSeed(2)).run().traceHash());
    }

    @Test
    void run_hostsPause_nothingLeavesInAPauseAndShareOfTimeIsTheTraces() {
        ScenarioResult result = run(longFlows(dumbbell(SHARED, Pauses.NONE), ExpressPass.weir()));
        assertEquals(4, result.pauses().size());
        for (PauseResult host : result.pauses()) {
            double share = (double) host.pausedNanos() / result.run().virtualNanos();
            assertTrue(share > 0.4 && share < 0.7, host.toString());
            assertTrue(host.pauseNanosMax() <= 1_100_000, host.toString());
        }
    }

    @Test
    void run_pausesAndAFaultOfTheSameHost_bothHappen() {
        Scenario scenario = dumbbell(SHARED, Pauses.NONE)
                .flows("f", ExpressPass.weir(), MEGABYTE)
                .but(Fault.HostPause.of("h1", 5 * MILLISECOND).withTime(MILLISECOND, 20 * MILLISECOND))
                .untilDone(1_000 * MILLISECOND);
        ScenarioResult result = run(scenario);
        assertEquals(List.of(), result.problems());
        assertEquals(
                2, result.summary().completionNanos().get(0).completionNanos().count());
    }
}
