package io.weir.transport.sim.world;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.node.ConfigException;
import io.weir.transport.protocol.ProtocolConfig;
import io.weir.transport.protocol.Settings;
import io.weir.transport.protocol.credit.CreditModel;
import io.weir.transport.protocol.expresspass.ExpressPass;
import io.weir.transport.scenario.HostSpec;
import io.weir.transport.scenario.Measurement;
import io.weir.transport.scenario.Network;
import io.weir.transport.scenario.ProcessingDelay;
import io.weir.transport.scenario.Scenario;
import io.weir.transport.scenario.StampNoise;
import io.weir.transport.scenario.Traffic;
import io.weir.transport.scenario.Traffic.Times;
import io.weir.transport.scenario.result.CallsResult;
import io.weir.transport.scenario.result.FlowResult;
import io.weir.transport.scenario.result.PortResult;
import io.weir.transport.scenario.result.ScenarioResult;
import io.weir.transport.scenario.result.Series;
import io.weir.transport.scenario.topology.Lines;
import io.weir.transport.scenario.topology.LinkTemplate;
import io.weir.transport.testing.Scenarios;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Whole scenarios in virtual time. */
class SimulationTest {
    private static final long MICROSECOND = 1_000;
    private static final long MILLISECOND = 1_000_000;
    private static final Settings WEIR = ExpressPass.weir();
    /** A credit over four links of 8 us, and a frame the other way; both are serialized three times. */
    private static final long RTT_NANOS = 6 * 8_000 + 3 * (71 + 1_231);

    private static ScenarioResult run(Scenario scenario) {
        return Simulation.run(scenario, () -> 0, Simulation.Progress.UNWATCHED);
    }

    private static Traffic.Flows flow(String id, String hosts, long bytes, Times start, Times stop) {
        return flow(id, hosts, bytes, start, stop, WEIR);
    }

    private static Traffic.Flows flow(
            String id, String hosts, long bytes, Times start, Times stop, ProtocolConfig protocol) {
        String[] ends = hosts.split(" ", -1);
        return Traffic.Flows.of(id, List.of(ends[0]), List.of(ends[1]), protocol)
                .withCount(1)
                .withStart(start)
                .withStop(stop)
                .withBytes(bytes);
    }

    private static Times at(long nanos) {
        return new Times(nanos, 0, 0);
    }

    private static PortResult port(ScenarioResult result, String node, String peer) {
        return result.ports().stream()
                .filter(port -> port.node().equals(node) && port.port().equals(peer))
                .findFirst()
                .orElseThrow();
    }

    // ---- flows

    @Test
    void run_limitedFlowsOnADumbbell_allComplete() {
        ScenarioResult result =
                run(Scenarios.dumbbell(2).flows("f", WEIR, 1_000_000).untilDone(20 * MILLISECOND));
        assertTrue(result.complete());
        assertEquals(2, result.flows().size());
        result.flows().forEach(flow -> {
            assertEquals(1_000_000, flow.bytes());
            assertTrue(flow.completionNanos() < 3 * MILLISECOND, flow.toString());
            assertEquals(0, flow.retransmittedBytes());
            assertEquals("expresspass:weir", flow.protocol());
        });
        assertTrue(result.run().virtualNanos() < 3 * MILLISECOND, result.run().toString());
        assertEquals(List.of(), result.problems());
        assertEquals(0, result.summary().dataDrops());
    }

    @Test
    void run_flowOfOneFrame_takesTwoOneWayDelaysMoreThanItsData() {
        // The opening asks, the credit answers, the data comes: three crossings.
        ScenarioResult result =
                run(Scenarios.dumbbell(1).flows("f", WEIR, 1_424).untilDone(MILLISECOND));
        long completionNanos = result.flows().get(0).completionNanos();
        assertTrue(completionNanos > RTT_NANOS + 24_000, completionNanos + " ns");
        assertTrue(completionNanos < RTT_NANOS + 24_000 + 3_000, completionNanos + " ns");
    }

    @Test
    void run_hostsThatHaveNotTalkedBefore_needARoundTripMore() {
        Scenario known = Scenarios.dumbbell(1).flows("f", WEIR, 1_424).untilDone(MILLISECOND);
        Scenario strange = new Scenario(
                "t", "", 1, MILLISECOND, true, known.network(), known.traffic(), List.of(), Measurement.SUMMARY, false);
        long difference = run(strange).flows().get(0).completionNanos()
                - run(known).flows().get(0).completionNanos();
        assertTrue(difference > 6 * 8_000 && difference < RTT_NANOS, difference + " ns");
    }

    @Test
    void run_flowThatIsLeftBehind_getsTheWholeLinkWhenTheOtherStops() {
        Scenario scenario = Scenarios.dumbbell(2)
                .with(flow("stays", "h1 h3", Traffic.UNLIMITED_BYTES, Times.ZERO, Times.NEVER))
                .with(flow("goes", "h2 h4", Traffic.UNLIMITED_BYTES, Times.ZERO, at(5 * MILLISECOND)))
                .measured(new Measurement(MILLISECOND, 0, true, false))
                .lasting(10 * MILLISECOND);
        ScenarioResult result = run(scenario);
        Series.FlowSeries stays = result.series().flows().get(0);
        Series.FlowSeries goes = result.series().flows().get(1);
        assertEquals(10, stays.goodputBps().size());
        assertTrue(stays.goodputBps().get(3) < 5.5e9, stays.toString());
        assertTrue(goes.goodputBps().get(3) > 3.5e9, goes.toString());
        // It has 16 MiB in its buffer when it stops, and must not go on sending them.
        assertEquals(0, goes.goodputBps().get(6));
        assertTrue(stays.goodputBps().get(7) > 8.5e9, stays.toString());
        assertNull(result.flows().get(1).completionNanos());
        assertEquals(
                goes.goodputBps().get(3) + stays.goodputBps().get(3),
                result.series().totalGoodputBps().get(3),
                1);
        assertEquals(List.of(), result.problems());
    }

    @Test
    void run_flowThatPauses_sendsNothingMeanwhile() {
        Traffic.Flows onOff = Traffic.Flows.of("f", List.of("h1"), List.of("h2"), WEIR)
                .withCount(1)
                .withPauses(2 * MILLISECOND, 3 * MILLISECOND);
        Scenario scenario = Scenarios.dumbbell(1)
                .with(onOff)
                .measured(new Measurement(MILLISECOND, 0, false, false))
                .lasting(20 * MILLISECOND);
        List<Double> total = run(scenario).series().totalGoodputBps();
        for (int i = 0; i < 20; i++) {
            double goodputBps = total.get(i);
            if (i % 5 < 2) {
                assertTrue(goodputBps > 7e9, "interval " + i + " of " + total);
            } else {
                assertTrue(goodputBps < (i % 5 == 2 ? 1e9 : 1), "interval " + i + " of " + total);
            }
        }
    }

    @Test
    void run_pausingFlowOfLimitedSize_sendsAllOfIt() {
        Traffic.Flows onOff = Traffic.Flows.of("f", List.of("h1"), List.of("h2"), WEIR)
                .withCount(1)
                .withBytes(10_000_000)
                .withPauses(MILLISECOND, MILLISECOND);
        FlowResult flow = run(Scenarios.dumbbell(1).with(onOff).untilDone(100 * MILLISECOND))
                .flows()
                .get(0);
        assertEquals(10_000_000, flow.bytes());
        // 8.6 Gbit/s half of the time.
        assertTrue(
                flow.completionNanos() > 17 * MILLISECOND && flow.completionNanos() < 22 * MILLISECOND,
                flow.toString());
    }

    @Test
    void run_flowsWithParametersOfTheirOwn_haveThem() {
        ProtocolConfig slow = WEIR.named("slow").with(ExpressPass.ALPHA, 1.0 / 64);
        Scenario scenario = Scenarios.dumbbell(2)
                .with(flow("fast", "h1 h3", 100_000, Times.ZERO, Times.NEVER, WEIR))
                .with(flow("slow", "h2 h4", 100_000, at(MILLISECOND), Times.NEVER, slow))
                .untilDone(20 * MILLISECOND);
        ScenarioResult result = run(scenario);
        assertEquals("expresspass:slow", result.flows().get(1).protocol());
        assertTrue(
                result.flows().get(1).completionNanos() > result.flows().get(0).completionNanos() + 50 * MICROSECOND,
                result.flows().toString());
    }

    @Test
    void run_manyShortFlows_leaveNoConnectionAndNoFrameBehind() {
        Traffic flows = Traffic.Flows.of("f", List.of("h1", "h2"), List.of("h3", "h4"), WEIR)
                .withCount(3_000)
                .withStart(new Times(0, 5_000, 5_000))
                .withBytes(2_000);
        try (Simulation simulation =
                new Simulation(Scenarios.dumbbell(2).with(flows).lasting(300 * MILLISECOND), () -> 0)) {
            ScenarioResult result = simulation.run(Simulation.Progress.UNWATCHED);
            result.flows().forEach(flow -> assertEquals(2_000, flow.bytes(), flow.toString()));
            assertEquals(List.of(), result.problems());
            for (int host = 0; host < 4; host++) {
                assertEquals(0, simulation.world().stack(host).connectionCount());
            }
        }
    }

    @Test
    void credits_ofAFlow_addUp() {
        ScenarioResult result =
                run(Scenarios.dumbbell(2).flows("f", WEIR, 1_000_000).untilDone(20 * MILLISECOND));
        for (FlowResult flow : result.flows()) {
            FlowResult.Credits credits = flow.credits();
            assertEquals(703, credits.used(), "segments of 1424 B");
            assertEquals(credits.received(), credits.used() + credits.wasted() + credits.expired());
            assertTrue(credits.sent() >= credits.received() && credits.sent() > credits.used(), credits.toString());
        }
    }

    // ---- exchanges

    @Test
    void run_incast_hasItsRoundsWithoutLoss() {
        Traffic.Exchange incast = Traffic.Exchange.of(
                        "e", "h1", List.of("h2", "h3", "h4", "h5", "h6", "h7", "h8", "h9"), ExpressPass.authors())
                .withBytes(200, 100_000)
                .withRounds(5)
                .withStartNanos(1_000)
                .withGapNanos(50_000);
        Network star = Lines.star(9, HostSpec.named(""), new LinkTemplate(Scenarios.RATE_BPS, 2_000));
        ScenarioResult result = run(new Scenarios(star).with(incast).untilDone(100 * MILLISECOND));
        assertTrue(result.complete());
        assertEquals(5, result.exchanges().get(0).rounds());
        // 800 KB at the 8.66 Gbit/s of payload that the link has at most.
        double roundNanos = result.exchanges().get(0).roundNanos().p50();
        assertTrue(roundNanos > 739_000 && roundNanos < 1_200_000, roundNanos + " ns");
        assertEquals(0, result.summary().dataDrops());
        assertTrue(
                port(result, "switch", "h1").queueBytesMax() < 20_000,
                result.ports().toString());
    }

    @Test
    void run_exchangeWithWarmUp_countsRoundsThatBeginAfterIt() {
        Traffic.Exchange pingPong = Traffic.Exchange.of("e", "h1", List.of("h2"), WEIR)
                .withBytes(100, 100)
                .withRounds(1_000_000)
                .withGapNanos(900_000);
        Scenario scenario = Scenarios.dumbbell(1)
                .with(pingPong)
                .measured(new Measurement(0, 10 * MILLISECOND, false, false))
                .lasting(20 * MILLISECOND);
        long rounds = run(scenario).exchanges().get(0).rounds();
        assertTrue(rounds >= 9 && rounds <= 11, rounds + " rounds");
    }

    // ---- calls

    @Test
    void run_callsOverManyConnections_eachAsksByItself() {
        Traffic.Calls calls = Traffic.Calls.of("c", List.of("h1"), List.of("h3", "h4"), WEIR)
                .withConnections(5, 1)
                .withBytes(64, 4_000)
                .withRounds(7, 0)
                .withStart(100_000, new Traffic.Times(200_000, 0, 0));
        ScenarioResult result = run(Scenarios.dumbbell(2).with(calls).untilDone(100 * MILLISECOND));
        CallsResult found = result.calls().get(0);
        assertTrue(result.complete());
        assertEquals(List.of(), result.problems());
        assertEquals(5, found.connections());
        assertEquals(35, found.completionNanos().count());
        // A request takes a frame of data, a response of 4,000 B three.
        assertEquals(35 * 4, found.credits().used());
        double seconds = result.run().virtualNanos() / 1e9;
        assertEquals(35 * 4_064 * 8 / seconds, found.goodputBps(), 1);
    }

    @Test
    void run_callsWithSeveralOutstanding_takeLessTimeTogether() {
        long one = nanosOfCalls(1, 0);
        long four = nanosOfCalls(4, 0);
        assertTrue(four < one, four + " ns with four at once, " + one + " one after the other");
        assertTrue(nanosOfCalls(1, 50_000) >= 39 * 50_000, "a gap follows each of the first 39 responses");
    }

    private long nanosOfCalls(int outstanding, long gapNanos) {
        Traffic.Calls calls = Traffic.Calls.of("c", List.of("h1"), List.of("h2"), WEIR)
                .withConnections(1, outstanding)
                .withBytes(1_000, 1_000)
                .withRounds(40, gapNanos)
                .withStart(100_000, new Traffic.Times(100_000, 0, 0));
        return run(Scenarios.dumbbell(1).with(calls).untilDone(100 * MILLISECOND))
                .run()
                .virtualNanos();
    }

    @Test
    void run_callsWithoutAServer_areRefused() {
        Traffic.Calls self = Traffic.Calls.of("c", List.of("h1"), List.of("h1"), WEIR);
        assertThrows(
                ConfigException.class,
                () -> run(Scenarios.dumbbell(1).with(self).lasting(MILLISECOND)));
        Traffic.Calls none =
                Traffic.Calls.of("c", List.of("h1"), List.of("h2"), WEIR).withRounds(0, 0);
        assertThrows(
                ConfigException.class,
                () -> run(Scenarios.dumbbell(1).with(none).lasting(MILLISECOND)));
    }

    // ---- time, randomness, measurement

    @Test
    void run_sameSeed_isTheSameToTheLastBit() {
        Scenario scenario = Scenarios.dumbbell(4)
                .flows("f", WEIR, Traffic.UNLIMITED_BYTES)
                .measured(new Measurement(100_000, MILLISECOND, true, true))
                .lasting(3 * MILLISECOND);
        ScenarioResult first = run(scenario);
        assertEquals(first, run(scenario));
        assertNotEquals(first.run().traceHash(), run(scenario.withSeed(2)).run().traceHash());
    }

    @Test
    void run_constantProcessingDelay_isAddedAtEveryHostThatAFrameComesTo() {
        HostSpec slow = new HostSpec(
                "",
                ProcessingDelay.constant(5_000),
                StampNoise.NONE,
                null,
                HostSpec.named("").timers());
        LinkTemplate link = new LinkTemplate(Scenarios.RATE_BPS, 8_000);
        Scenario scenario = new Scenarios(Lines.dumbbell(1, slow, link, link))
                .flows("f", WEIR, 1_424)
                .untilDone(MILLISECOND);
        long quickNanos = run(Scenarios.dumbbell(1).flows("f", WEIR, 1_424).untilDone(MILLISECOND))
                .flows()
                .get(0)
                .completionNanos();
        // The opening, the credit and the data.
        long slowNanos = run(scenario).flows().get(0).completionNanos();
        long addedNanos = slowNanos - quickNanos;
        assertTrue(addedNanos > 14_900 && addedNanos < 15_100, addedNanos + " ns");
    }

    @Test
    void run_warmUp_keepsWhatWasBeforeOutOfTheFigures() {
        Scenarios start = Scenarios.dumbbell(1).with(flow("early", "h1 h2", 1_000_000, Times.ZERO, Times.NEVER));
        ScenarioResult whole = run(start.lasting(10 * MILLISECOND));
        ScenarioResult late = run(start.measured(new Measurement(0, 5 * MILLISECOND, false, false))
                .lasting(10 * MILLISECOND));
        assertEquals(0.0864, port(whole, "left", "right").utilization(), 0.001);
        assertEquals(1_538, port(whole, "left", "right").queueBytesMax());
        assertEquals(0, port(late, "left", "right").utilization());
        assertEquals(0, port(late, "left", "right").queueBytesMax());
        assertEquals(0, late.summary().goodputBps());
        assertEquals(800_000_000, whole.summary().goodputBps(), 1);
    }

    @Test
    void run_interrupted_saysWhatWasThere() {
        Scenario scenario = Scenarios.dumbbell(2).flows("f", WEIR, 100_000_000).untilDone(20 * MILLISECOND);
        ScenarioResult result = Simulation.run(scenario, () -> 0, (nowNanos, durationNanos) -> nowNanos < MILLISECOND);
        assertFalse(result.complete());
        assertEquals(MILLISECOND, result.run().virtualNanos());
        assertTrue(result.flows().get(0).bytes() > 0);
    }

    @Test
    void run_interruptedDuringTheWarmUp_hasAnEmptyResult() {
        Scenario scenario = Scenarios.dumbbell(2)
                .flows("f", WEIR, 100_000_000)
                .measured(new Measurement(0, 10 * MILLISECOND, false, false))
                .untilDone(20 * MILLISECOND);
        ScenarioResult result = Simulation.run(scenario, () -> 0, (nowNanos, durationNanos) -> false);
        assertFalse(result.complete());
        assertEquals(0, result.summary().goodputBps());
    }

    @Test
    void run_tooFewFrames_saysSo() {
        Scenario scenario =
                Scenarios.dumbbell(4).flows("f", WEIR, Traffic.UNLIMITED_BYTES).lasting(3 * MILLISECOND);
        try (Simulation simulation = new Simulation(scenario, new SimOptions(60), () -> 0)) {
            ScenarioResult result = simulation.run(Simulation.Progress.UNWATCHED);
            assertTrue(
                    result.problems().get(0).contains("no memory was left"),
                    result.problems().toString());
        }
    }

    @Test
    void run_hostsWithoutCreditLimit_sendAsManyAsTheFlowsOfTheirPeersAskFor() {
        LinkTemplate edge = new LinkTemplate(
                Scenarios.RATE_BPS, 8_000, 1_500, Scenarios.port(CreditModel.OFF), Scenarios.authorsPort());
        LinkTemplate trunk = new LinkTemplate(Scenarios.RATE_BPS, 8_000, Scenarios.authorsPort());
        Network network = Lines.dumbbell(2, HostSpec.named(""), edge, trunk);
        Settings naive = ExpressPass.naive();
        Scenario scenario = new Scenarios(network)
                .with(flow("a", "h1 h3", Traffic.UNLIMITED_BYTES, Times.ZERO, Times.NEVER, naive))
                .with(flow("b", "h2 h3", Traffic.UNLIMITED_BYTES, Times.ZERO, Times.NEVER, naive))
                .lasting(5 * MILLISECOND);
        ScenarioResult result = run(scenario);
        // Twice what the link passes: the switch drops one half, not the host.
        assertEquals(
                0.5,
                (double) port(result, "right", "left").creditDrops()
                        / result.flows().stream()
                                .mapToLong(flow -> flow.credits().sent())
                                .sum(),
                0.03);
    }

    // ---- what is refused

    @Test
    void new_scenarioThatCannotRun_saysWhy() {
        Scenarios empty = Scenarios.dumbbell(1);
        ConfigException noTraffic = assertThrows(ConfigException.class, () -> run(empty.lasting(1)));
        assertTrue(noTraffic.getMessage().contains("no traffic"), noTraffic.getMessage());
        ConfigException warmUp = assertThrows(ConfigException.class, () -> Scenarios.dumbbell(1)
                .measured(new Measurement(0, 5, false, false))
                .lasting(5));
        assertTrue(
                warmUp.getMessage().contains("warmUpNanos=5 leaves nothing of durationNanos=5"), warmUp.getMessage());
    }
}
