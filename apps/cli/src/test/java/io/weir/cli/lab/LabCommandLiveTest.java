package io.weir.cli.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.cli.testing.CommandRun;
import io.weir.cli.testing.Documents;
import io.weir.nic.lab.LiveTest;
import io.weir.nic.net.NetNamespace;
import io.weir.nic.testing.Deadline;
import io.weir.transport.protocol.ProtocolConfig;
import io.weir.transport.protocol.catalogue.Catalogue;
import io.weir.transport.testing.Document;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests {@code weir lab} on real ports, each scenario next to its simulated twin. */
@LiveTest
class LabCommandLiveTest {
    private static final String GOODPUT = "/result/summary/goodputBps";
    private static final String DUMBBELL = """
            duration: 2s
            topology: {kind: dumbbell, pairs: 2, rate: 200Mbps, delay: 25us}
            traffic:
              - {kind: flows, from: first-half, to: second-half}
            measure: {warmUp: 500ms, interval: 100ms}
            """;
    private static final String INCAST = """
            duration: 10s
            endsWhenDone: true
            topology: {kind: star, hosts: 5, rate: 100Mbps, delay: 10us}
            traffic:
              - {kind: exchange, client: h1, servers: h2..h5, request: 200B, response: 20KB, rounds: 100}
            """;
    /** How far the lab's goodput may be from the simulation's: its time stands still while the loop has no core. */
    private static final double SHARE = 0.15;

    private static final String PREFIX = "weir-" + ProcessHandle.current().pid() + "-";

    @TempDir
    private Path folder;

    @AfterEach
    void nothingIsLeftBehind() throws IOException {
        List<String> ours = NetNamespace.names().stream()
                .filter(name -> name.startsWith(PREFIX))
                .toList();
        assertEquals(List.of(), ours);
    }

    private Path file(String text) throws IOException {
        return Files.writeString(folder.resolve("scenario.yaml"), text);
    }

    private static JsonNode result(String command, Path file) {
        JsonNode document = document(command, file);
        assertEquals(0, document.at("/result/problems").size(), document.toString());
        return document;
    }

    private static JsonNode document(String command, Path file) {
        CommandRun run = CommandRun.execute(command, "--json", file.toString());
        assertEquals(0, run.await(), run.err());
        JsonNode document = Documents.valid(run.out());
        assertEquals(command, document.path("command").asText());
        assertTrue(document.at("/result/complete").asBoolean());
        return document;
    }

    private static void assertNear(JsonNode simulated, JsonNode live, String place) {
        double expected = simulated.at(place).asDouble();
        assertEquals(expected, live.at(place).asDouble(), SHARE * expected, place);
    }

    @Test
    void lab_twoFlows_haveTheGoodputOfTheirSimulation() throws IOException {
        Path file = file(DUMBBELL);
        JsonNode simulated = result("sim", file);
        JsonNode live = result("lab", file);
        assertEquals("lab", live.at("/result/world").asText());
        assertNear(simulated, live, "/result/summary/goodputBps");
        assertEquals(0, live.at("/result/summary/dataDrops").asInt());
        assertTrue(live.at("/result/summary/jainIndex").asDouble() > 0.95);
        assertTrue(live.at("/result/run/traceHash").isNull());
        assertNear(simulated, live, "/result/run/packetHops");
        // Both ends of four links to hosts, and of the trunk.
        assertEquals(10, live.at("/environment/ports").size());
        assertEquals("afxdp", live.at("/environment/ports/0/backend").asText());
        assertTrue(live.at("/result/lab/cyclesPerSecond").asDouble() > 0);
        assertTrue(live.at("/result/lab/timeStandsStill").asBoolean());
        assertEquals(
                simulated.at("/result/ports").size(), live.at("/result/ports").size());
        assertEquals(
                simulated.at("/result/series/totalGoodputBps").size(),
                live.at("/result/series/totalGoodputBps").size(),
                1);
    }

    @Test
    void lab_tfcFlowsJoin_shareAShortQueueAsInTheirSimulation() {
        Path file = Document.root().resolve("benchmarks/scenarios/tfc/lab-joining-flows.yaml");
        JsonNode simulated = result("sim", file);
        JsonNode live = result("lab", file);
        assertNear(simulated, live, GOODPUT);
        assertEquals(0, live.at("/result/summary/dataDrops").asInt());
        assertTrue(live.at("/result/summary/jainIndex").asDouble() > 0.95, live.toString());
        long queueBytesMax = queueTowards(live, "h4");
        assertTrue(queueTowards(simulated, "h4") <= 10_000 && queueBytesMax <= 40_000, queueBytesMax + " B");
    }

    /** When credits that had overtaken the acceptance of their connection were dropped, it took 1.03 to 1.22. */
    @Test
    void lab_messagesAtALoadOfFourFifths_takeHardlyMoreCreditsThanFrames() {
        Path file = Document.root().resolve("benchmarks/scenarios/matrix/messages.yaml");
        CommandRun run = CommandRun.execute(
                "lab",
                "--json",
                "--set=topology.rate=40Mbps",
                "--set=traffic[message].count=512",
                "--set=traffic[message].start={spread: 210240us}",
                "--set=traffic[burst].start={at: 52560us}",
                "--set=duration=3s",
                file.toString());
        assertEquals(0, run.await(), run.err());
        long sent = 0;
        for (JsonNode flow : Documents.valid(run.out()).at("/result/flows")) {
            sent += flow.at("/credits/sent").asLong();
        }
        assertTrue(sent >= 513 && sent <= 1.1 * 513, sent + " credits for 513 frames");
    }

    private static long queueTowards(JsonNode document, String host) {
        for (JsonNode port : document.at("/result/ports")) {
            if (port.path("port").asText().equals(host)) {
                return port.path("queueBytesMax").asLong();
            }
        }
        throw new AssertionError("no port towards " + host);
    }

    /**
     * Next to the kernel, time is the machine's: who gets how much depends on who has a core. Both get all of theirs.
     */
    private void assertBothComplete(String defaults, String protocol) throws IOException {
        String text = """
                duration: 300s
                endsWhenDone: true
                topology: {kind: dumbbell, pairs: 2, rate: 200Mbps, delay: 25us, DEFAULTS}
                traffic:
                  - {kind: flows, id: weir, from: h1, to: h3, size: 4MB, protocol: PROTOCOL}
                  - {kind: flows, id: tcp, from: h2, to: h4, size: 4MB, protocol: tcp-reno}
                """.replace("DEFAULTS", defaults).replace("PROTOCOL", protocol);
        JsonNode live = result("lab", file(text)).path("result");
        assertFalse(live.at("/lab/timeStandsStill").asBoolean(), "the kernel has the machine's time");
        assertEquals(2, live.path("flows").size());
        assertEquals("tcp-reno", live.at("/flows/1/protocol").asText());
        for (JsonNode flow : live.path("flows")) {
            assertEquals(4_000_000, flow.path("bytes").asLong(), flow.toString());
            assertTrue(flow.path("completionNanos").asLong() > 0, flow.toString());
        }
    }

    /** CCRP's timers are for links of 10 Gbps; here they are as many times as long as the link is slower. */
    @ParameterizedTest
    @ValueSource(strings = {"expresspass", "{preset: ccrp, rateTimer: 20ms, alphaTimer: 20ms}"})
    void lab_kernelTcpBesideCredits_bothComplete(String protocol) throws IOException {
        assertBothComplete("dataQueue: 300KB, credits: {model: paper}, ecn: {threshold: 30KB}", protocol);
    }

    static List<ProtocolConfig> protocols() {
        return Catalogue.forRealPorts();
    }

    /** The switches mark from 30 KB on, far below what their queues hold. */
    private static String dumbbellOf(ProtocolConfig protocol) {
        return DUMBBELL.replace("delay: 25us", "delay: 25us, dataQueue: 100KB, ecn: {threshold: 30KB}") + "protocol: "
                + protocol.preset() + "\n";
    }

    @ParameterizedTest
    @MethodSource("protocols")
    @Tag("slow")
    void lab_eachProtocol_hasTheGoodputOfItsSimulation(ProtocolConfig protocol) throws IOException {
        Path file = file(dumbbellOf(protocol).replace("duration: 2s", "duration: 1200ms"));
        JsonNode simulated = result("sim", file);
        JsonNode live = result("lab", file);
        assertEquals(simulated.at("/result/flows/0/protocol"), live.at("/result/flows/0/protocol"));
        if (protocol.id().name().equals("timely")) {
            // Its signal is the round trip, and here that has the time in it that the loop takes to look at a path's
            // ports.
            double share = live.at(GOODPUT).asDouble() / simulated.at(GOODPUT).asDouble();
            assertTrue(share > 0.5, "goodput, of the simulation's: " + share);
        } else {
            assertNear(simulated, live, GOODPUT);
        }
        assertEquals(marks(simulated) > 0, marks(live) > 0, "marks: " + marks(live));
    }

    private static long marks(JsonNode document) {
        long marks = 0;
        for (JsonNode port : document.at("/result/ports")) {
            marks += port.path("marks").asLong();
        }
        return marks;
    }

    @Test
    void lab_dctcp_isMarkedAndKeepsTheQueueAtTheThreshold() throws IOException {
        JsonNode live = result("lab", file(dumbbellOf(Catalogue.find("dctcp").orElseThrow())));
        assertTrue(marks(live) > 100, "marks: " + marks(live));
        assertEquals(0, live.at("/result/summary/dataDrops").asInt());
        // 30 KB at 200 Mbps.
        double thresholdNanos = 30_000 * 8 / 0.2;
        assertEquals(
                thresholdNanos,
                live.at("/result/summary/queueingDelayNanos/p50").asDouble(),
                0.3 * thresholdNanos);
    }

    @ParameterizedTest
    @MethodSource("protocols")
    @Tag("slow")
    void lab_kernelTcpBesideAReactiveProtocol_bothComplete(ProtocolConfig protocol) throws IOException {
        assertBothComplete("dataQueue: 100KB, ecn: {threshold: 30KB}", protocol.preset());
    }

    @Test
    void lab_incast_takesTheRoundsOfItsSimulation() throws IOException {
        Path file = file(INCAST);
        JsonNode simulated = result("sim", file);
        JsonNode live = result("lab", file);
        assertEquals(100, live.at("/result/exchanges/0/rounds").asInt());
        assertNear(simulated, live, "/result/exchanges/0/roundNanos/p50");
        assertEquals(0, live.at("/result/summary/dataDrops").asInt());
    }

    @Test
    void lab_machineTime_goesOnWhileTheLoopIsAway() throws IOException {
        CommandRun run = CommandRun.execute(
                "lab", "--machine-time", "--json", file(DUMBBELL).toString());
        assertEquals(0, run.await(), run.err());
        JsonNode lab = Documents.valid(run.out()).at("/result/lab");
        assertFalse(lab.at("/timeStandsStill").asBoolean());
        // 2 s of the scenario are 2 s of the machine and its last turn, which is as long as the loop was away.
        assertTrue(lab.at("/loopNanos").asDouble() >= 2e9, lab.toString());
    }

    @Test
    void lab_faults_happenAndTheFlowIsRepaired() throws IOException {
        Path file = file("""
                duration: 8s
                endsWhenDone: true
                topology: {kind: dumbbell, pairs: 1, rate: 100Mbps, delay: 25us}
                traffic:
                  - {kind: flows, from: h1, to: h2, size: 4MB}
                faults:
                  - {kind: bad-link, link: [left, right], loss: 1%, duplicate: 1%, corrupt: 1%}
                  - {kind: link-down, link: [right, h2], from: 100ms, for: 10ms}
                  - {kind: pause, host: h1, from: 150ms, for: 5ms}
                """);
        JsonNode flow = result("lab", file).at("/result/flows/0");
        assertEquals(4_000_000, flow.path("bytes").asLong());
        assertTrue(flow.path("completionNanos").asLong() > 0, flow.toString());
        assertTrue(flow.path("retransmittedBytes").asLong() > 10_000, flow.toString());
    }

    @Test
    void lab_interrupted_printsWhatWasThereAndLeavesNothing() throws Exception {
        Path file = file(DUMBBELL.replace("duration: 2s", "duration: 300s"));
        CommandRun run = CommandRun.start("lab", "--json", "--no-realtime", file.toString());
        awaitNamespace("switches");
        assertEquals(1, run.stop());
        JsonNode document = Documents.valid(run.out());
        assertFalse(document.at("/result/complete").asBoolean());
    }

    @Test
    void labUp_namespaces_reachEachOtherUntilItIsStopped() throws IOException {
        CommandRun run = CommandRun.start("lab", "up", file(DUMBBELL).toString());
        run.awaitText("The lab is open");
        assertTrue(run.out().contains("h1: ip netns exec " + PREFIX + "h1"), run.out());
        InetAddress other = InetAddress.getByName("10.0.0.4");
        assertTrue(NetNamespace.of(PREFIX + "h1").call(() -> other.isReachable((int) Deadline.HANG_GUARD.toMillis())));
        assertEquals(List.of(ProcessHandle.current()), new OpenLabs().find());
        assertEquals(0, run.stop());
        assertEquals(List.of(), new OpenLabs().find());
    }

    private static void awaitNamespace(String name) throws Exception {
        Deadline.await("namespace " + name, () -> NetNamespace.names().contains(PREFIX + name));
    }
}
