package io.weir.transport.sim.world;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.node.ConfigException;
import io.weir.transport.protocol.ProtocolConfig;
import io.weir.transport.protocol.catalogue.Catalogue;
import io.weir.transport.protocol.credit.CreditModel;
import io.weir.transport.protocol.credit.CreditPortConfig;
import io.weir.transport.protocol.credit.CreditSettings;
import io.weir.transport.protocol.expresspass.ExpressPass;
import io.weir.transport.scenario.HostSpec;
import io.weir.transport.scenario.Measurement;
import io.weir.transport.scenario.PauseTrace;
import io.weir.transport.scenario.PauseTraces;
import io.weir.transport.scenario.Pauses;
import io.weir.transport.scenario.PortSpec;
import io.weir.transport.scenario.Scenario;
import io.weir.transport.scenario.Traffic;
import io.weir.transport.scenario.result.HostResult;
import io.weir.transport.scenario.result.MessagesResult;
import io.weir.transport.scenario.result.PortResult;
import io.weir.transport.scenario.result.QueueSplit;
import io.weir.transport.scenario.result.ScenarioResult;
import io.weir.transport.scenario.topology.Lines;
import io.weir.transport.scenario.topology.LinkTemplate;
import io.weir.transport.testing.Scenarios;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What results say of hosts and queues, and what scenarios may say of hosts, links and messages. */
class HostResultsTest {
    private static final long MILLISECOND = 1_000_000;
    private static final int SENDERS = 16;
    private static final String RECEIVER = "h" + (SENDERS + 1);

    private static Scenarios star(HostSpec host, PortSpec port, int mtuBytes) {
        return new Scenarios(
                Lines.star(SENDERS + 1, host, new LinkTemplate(Scenarios.RATE_BPS, 2_000, mtuBytes, port, port)));
    }

    private static List<String> senders() {
        return IntStream.rangeClosed(1, SENDERS).mapToObj(i -> "h" + i).toList();
    }

    private static Traffic incast(int count, long bytes, ProtocolConfig protocol) {
        return Traffic.Flows.of("f", senders(), List.of(RECEIVER), protocol)
                .withCount(count)
                .withBytes(bytes);
    }

    private static ScenarioResult run(Scenario scenario) {
        return Simulation.run(scenario, () -> 0, Simulation.Progress.UNWATCHED);
    }

    private static HostResult host(ScenarioResult result, String name) {
        return result.hosts().stream()
                .filter(host -> host.host().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static PortResult portTo(ScenarioResult result, String peer) {
        return result.ports().stream()
                .filter(port -> port.port().equals(peer))
                .findFirst()
                .orElseThrow();
    }

    // ---- hosts

    @Test
    void run_rulesThatFillTheirHostsQueue_areSeenToLoseTheirCreditsThere() {
        ScenarioResult result = run(star(HostSpec.named(""), Scenarios.port(CreditModel.AUTHORS), 1_500)
                .with(incast(256, 100_000, ExpressPass.authors()))
                .lasting(4 * MILLISECOND));
        HostResult receiver = host(result, RECEIVER);
        assertTrue(2 * receiver.creditsDropped() > receiver.creditsOffered(), receiver.toString());
        assertTrue(receiver.creditsWaitingMax() >= 8, receiver.toString());
        // The paper's hosts do so by design.
        assertEquals(List.of(), result.problems());
    }

    @Test
    void run_meterThatLetsNoCreditPass_isNamedAsAProblemWhereFlowsWaitForIt() {
        CreditSettings tooShort = CreditSettings.DEFAULT
                .withModel(CreditModel.PAPER)
                .with(CreditSettings.BURST, 1)
                .with(CreditSettings.DROP, CreditPortConfig.Drop.TAIL)
                .with(CreditSettings.LARGEST, 84);
        ScenarioResult result = run(star(HostSpec.named(""), new PortSpec(384_500, tooShort, null), 1_500)
                .with(incast(1, 100_000, ExpressPass.weir()))
                .lasting(MILLISECOND));
        HostResult receiver = host(result, RECEIVER);
        assertTrue(receiver.creditsDropped() > 0, receiver.toString());
        assertTrue(
                result.problems().stream()
                        .anyMatch(problem -> problem.startsWith("host " + RECEIVER + " lost ")
                                && problem.contains("credits at its own meter")),
                result.problems().toString());
    }

    @Test
    void run_flowsThatWaitForTheMeter_loseNoneAndWaitThere() {
        ScenarioResult result = run(star(HostSpec.named(""), PortSpec.DEFAULT, 1_500)
                .with(incast(256, 100_000, ExpressPass.weir()))
                .lasting(4 * MILLISECOND));
        HostResult receiver = host(result, RECEIVER);
        assertEquals(0, receiver.creditsDropped());
        assertTrue(receiver.creditsWaitingMax() > 100, receiver.toString());
        assertEquals(List.of(), result.problems());
        // What leaves the host's meter is what is offered to the switch's, but for what is on its way at the end.
        long offered = result.ports().stream()
                .filter(port -> !port.port().equals(RECEIVER))
                .mapToLong(PortResult::creditsOffered)
                .sum();
        assertTrue(receiver.creditsOffered() - offered <= 8, receiver + " and " + offered);
        assertTrue(host(result, "h1").utilization() > 0.05, result.hosts().toString());
        assertTrue(receiver.utilization() > 0.04 && receiver.utilization() < 0.2, receiver.toString());
        assertEquals(0, receiver.queueBytesMax());
    }

    // ---- queues and use

    @Test
    void run_openingsAtOnce_areSeenInTheLongestQueueOfTheWholeRun() {
        ScenarioResult result = run(star(HostSpec.named(""), PortSpec.DEFAULT, 1_500)
                .with(incast(512, Traffic.UNLIMITED_BYTES, ExpressPass.weir()))
                .measured(new Measurement(0, 2 * MILLISECOND, false, false))
                .lasting(3 * MILLISECOND));
        PortResult port = portTo(result, RECEIVER);
        QueueSplit split = port.longestQueue();
        assertTrue(port.queueBytesMaxWholeRun() > port.queueBytesMax(), port.toString());
        // Each opening is confirmed by an acknowledgement.
        assertTrue(
                split.openingBytes() + split.acknowledgementBytes() > port.queueBytesMaxWholeRun() / 2,
                port.toString());
        assertEquals(
                port.queueBytesMaxWholeRun(),
                split.creditedDataBytes()
                        + split.otherDataBytes()
                        + split.openingBytes()
                        + split.acknowledgementBytes()
                        + split.requestBytes()
                        + split.otherBytes());
    }

    @ParameterizedTest
    @ValueSource(ints = {7, 500, 20_000})
    void run_linkThatIsAlwaysFull_isUsedWhollyAndNoMore(int microseconds) {
        PortSpec port = new PortSpec(300_000, PortSpec.DEFAULT.credits(), null);
        ScenarioResult result = run(star(HostSpec.named(""), port, 1_500)
                .with(incast(
                        SENDERS,
                        Traffic.UNLIMITED_BYTES,
                        Catalogue.find("newreno").orElseThrow()))
                .measured(new Measurement(0, MILLISECOND, false, false))
                .lasting(MILLISECOND + microseconds * 1_000L));
        double use = portTo(result, RECEIVER).utilization();
        assertTrue(use <= 1 && use > 0.99, "use " + use);
    }

    // ---- one queue in front of a host's link

    @Test
    void run_hostWithAQueue_dropsWhatFindsItFull() {
        HostSpec queued = HostSpec.named("").withQueueFramesMax(20);
        Traffic fanOut = Traffic.Flows.of(
                        "f",
                        List.of("h1"),
                        senders().subList(1, 9),
                        Catalogue.find("newreno").orElseThrow())
                .withCount(8)
                .withBytes(1_000_000);
        ScenarioResult result =
                run(star(queued, PortSpec.DEFAULT, 1_500).with(fanOut).untilDone(200 * MILLISECOND));
        HostResult sender = host(result, "h1");
        assertTrue(sender.queueDrops() > 0, sender.toString());
        assertTrue(sender.queueBytesMax() <= 20 * 1_538 && sender.queueBytesMax() > 19_000, sender.toString());
        assertTrue(sender.utilization() <= 1 && sender.utilization() > 0.2, sender.toString());
        result.flows().forEach(flow -> assertEquals(1_000_000, flow.bytes()));
        assertEquals(List.of(), result.problems());
    }

    @Test
    void run_hostsWithQueuesAndCredits_sendAsMuchAsWithout() {
        HostSpec queued = HostSpec.named("").withQueueFramesMax(1_000);
        double with = run(star(queued, PortSpec.DEFAULT, 1_500)
                        .with(incast(SENDERS, Traffic.UNLIMITED_BYTES, ExpressPass.weir()))
                        .lasting(3 * MILLISECOND))
                .summary()
                .goodputBps();
        double without = run(star(HostSpec.named(""), PortSpec.DEFAULT, 1_500)
                        .with(incast(SENDERS, Traffic.UNLIMITED_BYTES, ExpressPass.weir()))
                        .lasting(3 * MILLISECOND))
                .summary()
                .goodputBps();
        assertEquals(without, with, without / 100);
    }

    @Test
    void newHostSpec_queueAndPauses_areRefused() {
        PauseTrace trace = PauseTraces.parse("t", "1,5\n3,9\n");
        HostSpec pausing = HostSpec.named("h1").withPauses(Pauses.of(trace));
        assertThrows(ConfigException.class, () -> pausing.withQueueFramesMax(10));
        assertThrows(ConfigException.class, () -> HostSpec.named("h1").withQueueFramesMax(-1));
    }

    // ---- messages at a rate

    private static Traffic messages(boolean isRandom, long rateBps, int count) {
        return Traffic.Messages.of("m", senders(), List.of(RECEIVER), ExpressPass.weir())
                .withBytes(1_000)
                .withRate(rateBps, isRandom)
                .withLeadNanos(MILLISECOND / 2)
                .withTime(MILLISECOND, 20 * MILLISECOND)
                .withCount(count);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void run_messagesAtHalfTheLink_allArriveSoon(boolean isRandom) {
        ScenarioResult result = run(star(HostSpec.named(""), PortSpec.DEFAULT, 1_500)
                .with(messages(isRandom, 3_000_000_000L, 2_000))
                .untilDone(40 * MILLISECOND));
        MessagesResult found = result.messages().get(0);
        assertEquals(2_000, found.messages());
        assertEquals(2_000, found.completionNanos().count());
        assertEquals(SENDERS, found.connections());
        assertTrue(found.completionNanos().p99() < 200_000, found.toString());
        // A frame of 1,424 bytes takes the beginning of the next message too, where that waits already.
        assertTrue(found.creditsSent() >= 1_405 && found.creditsSent() < 2_200, found.toString());
        assertEquals(List.of(), result.problems());
    }

    @Test
    void run_moreMessagesThanTheLinkCarries_waitForThoseBefore() {
        ScenarioResult result = run(star(HostSpec.named(""), PortSpec.DEFAULT, 1_500)
                .with(messages(false, 20_000_000_000L, 10_000))
                .lasting(4 * MILLISECOND));
        MessagesResult found = result.messages().get(0);
        assertTrue(Math.abs(found.messages() - 7_500) <= 1, found.toString());
        assertTrue(found.completionNanos().count() < 6_000, found.toString());
        assertTrue(found.completionNanos().p99() > MILLISECOND, found.toString());
    }

    // ---- links

    @ParameterizedTest
    @ValueSource(ints = {576, 1_000, 1_279})
    void run_shortMtus_carryFlows(int mtuBytes) {
        ScenarioResult result = run(star(HostSpec.named(""), PortSpec.DEFAULT, mtuBytes)
                .with(incast(SENDERS, 50_000, ExpressPass.weir()))
                .untilDone(20 * MILLISECOND));
        result.flows().forEach(flow -> assertEquals(50_000, flow.bytes()));
        assertTrue(result.summary().goodputBps() > 5e9, result.summary().toString());
        assertEquals(0, result.summary().dataDrops());
    }
}
