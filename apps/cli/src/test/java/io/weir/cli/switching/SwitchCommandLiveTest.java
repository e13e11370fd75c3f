package io.weir.cli.switching;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.weir.cli.WeirCommand;
import io.weir.cli.environment.ExitCode;
import io.weir.cli.testing.CommandRun;
import io.weir.cli.testing.Documents;
import io.weir.cli.testing.PublishedSchema;
import io.weir.nic.NicException;
import io.weir.nic.lab.LabEnd;
import io.weir.nic.lab.LabLink;
import io.weir.nic.lab.LiveTest;
import io.weir.nic.net.Interfaces;
import io.weir.nic.net.MacAddress;
import io.weir.nic.net.NetNamespace;
import io.weir.nic.testing.ChildJvm;
import io.weir.nic.testing.Deadline;
import io.weir.pacer.PauseBudget;
import io.weir.transport.observation.CounterFolder;
import io.weir.transport.protocol.ProtocolConfig;
import io.weir.transport.protocol.ProtocolId;
import io.weir.transport.protocol.catalogue.Catalogue;
import io.weir.transport.protocol.expresspass.ExpressPass;
import io.weir.transport.protocol.tfc.Tfc;
import io.weir.transport.socket.TransportConfig;
import io.weir.transport.testing.Background;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests {@link SwitchCommand} on real ports: two hosts and a switch, each in its own namespace. */
@LiveTest
class SwitchCommandLiveTest {
    private static final String STARTED = "Forwarding between 2 ports";
    /** A credit on the wire, and how much of a link credits may use: 84 B for the 1538 B of a frame, and a burst. */
    private static final int CREDIT_WIRE_BYTES = 84;

    private static final double CREDIT_SHARE_MAX = 0.06;
    private static final int TFC_BYTES = 2_000_000;
    private static final int QUEUED = 40;
    private static final int STORM_FRAMES_MIN = 2_000;

    @TempDir
    private Path folder;

    private SwitchedHosts hosts;
    private NetNamespace a;
    private NetNamespace b;
    private NetNamespace fabric;
    private Path file;

    @BeforeEach
    void build() throws IOException {
        hosts = new SwitchedHosts();
        a = hosts.a();
        b = hosts.b();
        fabric = hosts.fabric();
        file = write("");
    }

    /** {@return the example for two hosts, in the laboratory's namespace and with {@code more} among the defaults} */
    private Path write(String more) throws IOException {
        String example = Files.readString(SwitchFileTest.EXAMPLES.resolve("two-hosts.yaml"));
        Path written = folder.resolve("switch.yaml");
        String defaults = "defaults:\n  namespace: " + fabric.name() + "\n" + more;
        Files.writeString(written, example.replace("defaults:\n", defaults));
        return written;
    }

    @AfterEach
    void demolish() {
        hosts.close();
    }

    private int programOf(String interfaceName) throws NicException {
        return fabric.call(() -> Interfaces.find(interfaceName)).xdpProgramId();
    }

    private void assertUntouched() throws NicException {
        assertEquals(0, programOf("sw0"), "sw0");
        assertEquals(0, programOf("sw1"), "sw1");
    }

    // ---- traffic

    @Test
    void stat_switchThatForwards_hasItsPortsAndWhatCameByWhichUntilItEnds() throws Exception {
        Path counters = folder.resolve("counters");
        System.setProperty(CounterFolder.PROPERTY, counters.toString());
        CommandRun run = CommandRun.start("switch", file.toString());
        try {
            run.awaitText(STARTED);
        } finally {
            System.clearProperty(CounterFolder.PROPERTY);
        }
        ping();
        AtomicReference<JsonNode> seen = new AtomicReference<>();
        Deadline.await("the switch's counts are seen", () -> {
            CommandRun stat = CommandRun.execute("stat", "switch", "--json", "--dir", counters.toString());
            seen.set(Documents.valid(stat.out()).get("result"));
            return seen.get().at("/switchPorts/1/counters/FRAMES_SENT").asLong() > 0;
        });
        JsonNode result = seen.get();
        assertEquals(1, result.get("switches").size());
        assertEquals("sw0", result.at("/switchPorts/0/interface").asText());
        assertEquals("sw1", result.at("/switchPorts/1/interface").asText());
        assertEquals("sw0", result.at("/switchPorts/1/ingress/0/by").asText());
        assertTrue(result.at("/switchPorts/1/ingress/0/DATA_QUEUED").asLong() > 0, result.toString());
        assertEquals(ExitCode.DONE, run.stop());
        assertEquals(List.of(), new CounterFolder(counters).list().files());
    }

    /** The report of a test is the lone message of its connection, and longer than the path takes. */
    @Test
    void call_hostsWithALargerMtu_perfEndsWithItsReport() throws Exception {
        for (NetNamespace host : List.of(a, b)) {
            hosts.lab().run(host, "ip", "link", "set", SwitchedHosts.HOST_INTERFACE, "mtu", "9000");
        }
        CommandRun run = CommandRun.start("switch", "--json", file.toString());
        run.awaitText(STARTED);
        try (ChildJvm server = ChildJvm.start(
                List.of("ip", "netns", "exec", b.name()),
                WeirCommand.class,
                "perf",
                "-s",
                "--interface",
                SwitchedHosts.HOST_INTERFACE)) {
            assertTrue(server.awaitLine("Serving on port").startsWith("Serving on port"));
            CommandRun client = a.<CommandRun, IOException>call(() -> CommandRun.execute(
                    "perf",
                    "-c",
                    SwitchedHosts.ADDRESS_B,
                    "--interface",
                    SwitchedHosts.HOST_INTERFACE,
                    "-n",
                    "1MB",
                    "--verify",
                    "5",
                    "--json"));
            assertEquals(0, client.await(), client.err());
            JsonNode document = new ObjectMapper().readTree(client.out());
            assertEquals(
                    9_000,
                    document.at("/result/client/environment/ports/0/mtuBytes").asInt());
            assertEquals(
                    1_000_000, document.at("/result/server/streams/0/bytes").asLong(), document.toString());
        }
        assertEquals(0, run.stop(), run.err());
    }

    @Test
    void call_hostsBehindIt_talkThroughItAndCreditsAreMetered() throws Exception {
        CommandRun run = CommandRun.start("switch", "--json", file.toString());
        run.awaitText(STARTED);
        assertNotEquals(0, programOf("sw0"));
        ping();
        kernelTcp(2_000_000);
        weir(8_000_000);
        assertEquals(0, run.stop(), run.err());
        assertUntouched();

        JsonNode document = new ObjectMapper().readTree(run.out());
        PublishedSchema.assertResult(document);
        JsonNode result = document.path("result");
        JsonNode towardsA = result.at("/ports/0");
        JsonNode towardsB = result.at("/ports/1");
        assertEquals(fabric.name() + "/sw0", towardsA.path("port").asText());
        assertTrue(result.path("framesFlooded").asLong() >= 1, "the ARP request is for everybody");
        assertTrue(towardsB.path("wireBytesSent").asLong() > 10_000_000, towardsB.toString());
        assertTrue(towardsA.path("wireBytesReceived").asLong()
                >= towardsB.path("wireBytesSent").asLong());
        long queueBytesMax = towardsB.path("queueBytesMax").asLong();
        // Its dataQueue, and what it may make up for where it was off its core.
        long bytesBound = 375_000 + PauseBudget.DEFAULT.bytes();
        assertTrue(queueBytesMax > 0 && queueBytesMax <= bytesBound, towardsB.toString());
        // b sends credits for a's data, so they pass the meter of the port towards a, which bounds their rate.
        long in = towardsA.path("creditsReceived").asLong();
        long out = towardsA.path("creditsSent").asLong();
        assertTrue(out >= 8_000_000 / 1_460, "a credit for each segment: " + towardsA);
        assertEquals(
                in,
                out
                        + towardsA.path("creditDrops").asLong()
                        + towardsA.at("/drops/credit_late").asLong()
                        + towardsA.path("creditQueueFrames").asLong());
        long rateBps = towardsA.path("linkRateBps").asLong();
        double bytesMax = rateBps / 8e9 * result.path("seconds").asDouble() * 1e9 * CREDIT_SHARE_MAX;
        assertTrue(out * CREDIT_WIRE_BYTES <= bytesMax, out + " credits for " + bytesMax + " B");
    }

    static List<ProtocolConfig> protocols() {
        return Catalogue.forRealPorts();
    }

    /** Hosts at the rate of their device, and a switch that is the bottleneck and marks from 30 KB on. */
    @ParameterizedTest
    @MethodSource("protocols")
    @Tag("slow")
    void call_eachProtocolBesideKernelTcp_arrivesAndDctcpIsMarked(ProtocolConfig protocol) throws Exception {
        Files.writeString(
                file,
                Files.readString(write("  ecn: {threshold: 30KB}\n  rcp: {}\n  tfc: {}\n"))
                        .replace("rate: 1Gbps", "rate: 200Mbps")
                        .replace("dataQueue: 375KB", "dataQueue: 100KB"));
        CommandRun run = CommandRun.start("switch", "--json", file.toString());
        run.awaitText(STARTED);
        CompletableFuture<Void> tcp = Background.run(() -> kernelTcpUnchecked(4_000_000));
        weir(8_000_000, protocol.id());
        tcp.get();
        assertEquals(0, run.stop(), run.err());
        JsonNode towardsB = new ObjectMapper().readTree(run.out()).at("/result/ports/1");
        if (protocol.preset().equals("dctcp")) {
            assertTrue(towardsB.path("marks").asLong() > 0, towardsB.toString());
        }
        assertTrue(towardsB.path("wireBytesSent").asLong() > 12_000_000, towardsB.toString());
    }

    /**
     * Through a port that gives tokens at 50 Mbit/s: nothing is dropped, although threads that wait for a core make
     * rounds of many milliseconds. How full the link and how short the queue is depends on those rounds: {@code
     * TfcTest} has them in virtual time, {@code LabCommandLiveTest} in the lab's.
     */
    @Test
    void call_tfc_arrivesWithoutADrop() throws Exception {
        Files.writeString(file, Files.readString(write("  tfc: {}\n")).replace("rate: 1Gbps", "rate: 50Mbps"));
        CommandRun run = CommandRun.start("switch", "--json", file.toString());
        run.awaitText(STARTED);
        weir(TFC_BYTES, Tfc.KIND.id());
        assertEquals(0, run.stop(), run.err());
        JsonNode towardsB = new ObjectMapper().readTree(run.out()).at("/result/ports/1");
        assertEquals(0, towardsB.path("dataDrops").asLong(), towardsB.toString());
        assertTrue(towardsB.path("wireBytesSent").asLong() > TFC_BYTES, towardsB.toString());
    }

    private void kernelTcpUnchecked(int count) {
        try {
            kernelTcp(count);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** Sends ICMP echo requests, as root may; the first waits for ARP. */
    private void ping() throws IOException {
        InetAddress target = InetAddress.getByName(SwitchedHosts.ADDRESS_B);
        for (int i = 0; i < 3; i++) {
            assertTrue(a.call(() -> target.isReachable((int) SwitchedHosts.PATIENCE.toMillis())));
        }
    }

    private void kernelTcp(int count) throws Exception {
        byte[] sent = SwitchedHosts.bytes(count);
        try (ServerSocket listener = hosts.listen()) {
            CompletableFuture<byte[]> received = Background.run(() -> acceptAll(listener));
            try (Socket socket = hosts.connect()) {
                socket.getOutputStream().write(sent);
            }
            assertArrayEquals(sent, received.get());
        }
    }

    private static byte[] acceptAll(ServerSocket listener) {
        try (Socket socket = listener.accept();
                InputStream input = socket.getInputStream()) {
            return input.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void weir(int count) throws Exception {
        weir(count, ExpressPass.KIND.id());
    }

    private void weir(int count, ProtocolId protocol) throws Exception {
        try (SwitchedHosts.Stream stream = hosts.open(protocol, TransportConfig.DEFAULT)) {
            stream.send(SwitchedHosts.bytes(count));
        }
    }

    /** A storm is no more to others than a thread that spins, and is named with its port. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void call_stormOrASpinningThread_transferArrivesAndTheStormIsNamed(boolean isStorm) throws Exception {
        CommandRun run = CommandRun.start(
                "switch", "--json", write("  floodRate: 100kbps\n").toString());
        run.awaitText(STARTED);
        // What asks for addresses goes to everybody too, and would drown.
        ping();
        AtomicBoolean isOver = new AtomicBoolean();
        CompletableFuture<Integer> rival = Background.run(() -> isStorm ? storm(isOver) : spin(isOver));
        try {
            kernelTcp(TFC_BYTES);
        } finally {
            isOver.set(true);
        }
        assertTrue(rival.get() > 0);
        assertEquals(0, run.stop(), run.err());
        JsonNode result = new ObjectMapper().readTree(run.out()).path("result");
        JsonNode problems = result.path("problems");
        assertEquals(isStorm ? 1 : 0, problems.size(), problems.toString());
        assertEquals(isStorm, problems.path(0).asText().contains("sw0: a storm came in by this port"));
        assertEquals(isStorm, result.at("/ports/0/drops").has("flood_limit"), result.toString());
        assertTrue(result.at("/ports/1/byIngress/0/dataQueued").asLong() > 0, result.toString());
    }

    /** {@return how many frames to everybody a has sent: more than the limit's burst, and until it is over} */
    private int storm(AtomicBoolean isOver) {
        try (DatagramSocket socket = a.call(() -> new DatagramSocket())) {
            socket.setBroadcast(true);
            DatagramPacket packet = new DatagramPacket(new byte[1_000], 1_000, InetAddress.getByName("10.78.0.255"), 9);
            int count = 0;
            while (count < STORM_FRAMES_MIN || !isOver.get()) {
                socket.send(packet);
                count++;
            }
            return count;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int spin(AtomicBoolean isOver) {
        int count = 1;
        while (!isOver.get()) {
            count = Math.max(1, count + 1);
        }
        return count;
    }

    @Test
    void call_addressGivenToAPort_holdsWhateverIsLearned() throws Exception {
        String macOfB = MacAddress.text(
                b.call(() -> Interfaces.find(SwitchedHosts.HOST_INTERFACE)).macAddress());
        String given = "interface: sw0\n    addresses: ['" + macOfB + "']\n";
        Files.writeString(file, Files.readString(file).replace("interface: sw0\n", given));
        CommandRun run = CommandRun.start("switch", "--json-stream", "--interval", "50ms", file.toString());
        InetAddress target = InetAddress.getByName(SwitchedHosts.ADDRESS_B);
        Deadline.await("a frame dropped by the switch", run::out, () -> {
            assertFalse(a.call(() -> target.isReachable(300)), "its address is said to be behind the port of a");
            return run.out().contains("\"same_port\":");
        });
        assertEquals(0, run.stop(), run.err());
    }

    @Test
    void call_linkWithDelay_delaysKernelTraffic() throws Exception {
        file = write("  link: {emulate: true, delay: 20ms}\n");
        CommandRun run = CommandRun.start("switch", "--json", file.toString());
        run.awaitText(STARTED);
        long startNanos = System.nanoTime();
        try (ServerSocket listener = hosts.listen();
                Socket socket = hosts.connect()) {
            assertTrue(socket.isConnected() && listener.isBound());
        }
        long roundTripNanos = System.nanoTime() - startNanos;
        assertTrue(
                roundTripNanos >= TimeUnit.MILLISECONDS.toNanos(4 * 20), roundTripNanos + " ns: two links, both ways");
        assertEquals(0, run.stop(), run.err());
    }

    // ---- how it ends

    @Test
    void call_time_endsByItselfWithASummary() throws Exception {
        CommandRun run = CommandRun.execute("switch", "--time", "300ms", "--interval", "100ms", file.toString());
        assertEquals(0, run.await(), run.err());
        List<String> tables =
                run.out().lines().filter(line -> line.startsWith("port ")).toList();
        assertEquals(4, tables.size(), "three intervals and the whole:\n" + run.out());
        assertTrue(run.out().contains("met     failed ports: 0"), run.out());
        assertUntouched();
    }

    @Test
    void call_jsonStream_printsADocumentForEachInterval() throws Exception {
        CommandRun run = CommandRun.execute(
                "switch", "--time", "300ms", "--interval", "100ms", "--json-stream", file.toString());
        assertEquals(0, run.await(), run.err());
        List<JsonNode> documents = new ArrayList<>();
        for (String line : run.out().lines().toList()) {
            documents.add(new ObjectMapper().readTree(line));
        }
        assertEquals(4, documents.size(), run.out());
        for (JsonNode document : documents.subList(0, 3)) {
            PublishedSchema.assertResult(document);
            assertEquals("interval", document.path("event").asText());
        }
        PublishedSchema.assertResult(documents.get(3));
        assertTrue(documents.get(3).at("/data/ok").asBoolean());
        assertEquals(
                "afxdp",
                documents.get(3).at("/data/environment/ports/1/backend").asText());
    }

    @Test
    void call_secondPortRefused_firstIsAsBefore() throws Exception {
        hosts.lab().setUp(hosts.linkToB().right(), false);
        CommandRun run = CommandRun.execute("switch", file.toString());
        assertEquals(3, run.await());
        assertTrue(run.err().contains("interface sw1 is down; set it up: ip link set sw1 up"), run.err());
        assertUntouched();
    }

    @Test
    void call_interfaceOfALowerMtu_isRefusedWithBothRemedies() throws Exception {
        file = write("");
        Files.writeString(file, Files.readString(file).replace("mtu: 1500", "mtu: 1600"));
        CommandRun run = CommandRun.execute("switch", file.toString());
        assertEquals(3, run.await());
        assertEquals(
                "weir: interface " + fabric.name()
                        + "/sw0 has an MTU of 1500, below the port's 1600; write mtu: 1500, or"
                        + " raise the interface's: ip link set sw0 mtu 1600\n",
                run.err());
    }

    @Test
    void call_interfaceDeleted_isReportedAndTheOthersGoOn() throws Exception {
        CommandRun run = CommandRun.start("switch", "--json", file.toString());
        run.awaitText(STARTED);
        hosts.lab().unlink(hosts.linkToB());
        run.awaitText("weir: port " + fabric.name() + "/sw1 ended: interface sw1 was deleted");
        assertEquals(1, run.stop(), run.err());
        JsonNode document = new ObjectMapper().readTree(run.out());
        PublishedSchema.assertResult(document);
        assertTrue(document.at("/result/ports/0/failure").isNull());
        assertTrue(document.at("/result/ports/1/failure").asText().contains("sw1 was deleted"), run.out());
        assertEquals("failed ports", document.at("/criteria/0/name").asText());
        assertEquals(1, document.at("/criteria/0/measured").asInt());
        assertEquals(0, programOf("sw0"));
    }

    @Test
    void call_interfaceDeletedAndMadeAgain_isTakenBack() throws Exception {
        CommandRun run = CommandRun.start("switch", "--json", file.toString());
        run.awaitText(STARTED);
        ping();
        for (int i = 0; i < 2; i++) {
            hosts.lab().unlink(hosts.linkToB());
            awaitTimes(run, i + 1, "sw1 ended: interface sw1 was deleted");
            hosts.lab().link(hosts.linkToB());
            awaitTimes(run, i + 1, "sw1 is back");
            pingAnew();
        }
        assertEquals(0, run.stop(), run.err());
        assertUntouched();
    }

    /** The host's interface has another Ethernet address now, of which the kernel would hear only in half a minute. */
    private void pingAnew() throws IOException {
        hosts.lab().run(a, "ip", "neigh", "flush", "all");
        ping();
    }

    private static void awaitTimes(CommandRun run, int count, String text) throws Exception {
        Deadline.await(
                text + " for the time " + count, run::err, () -> run.err().split(text, -1).length > count);
    }

    @Test
    void call_everyInterfaceDeleted_endsWithTheEnvironmentsStatus() throws Exception {
        CommandRun run = CommandRun.start("switch", "--json", file.toString());
        run.awaitText(STARTED);
        hosts.lab().unlink(hosts.linkToA());
        hosts.lab().unlink(hosts.linkToB());
        assertEquals(3, run.await(), run.err());
        assertTrue(run.err().contains("weir: no port is left"), run.err());
        PublishedSchema.assertResult(new ObjectMapper().readTree(run.out()));
    }

    @Test
    void call_toldToWait_waitsForEveryInterface() throws Exception {
        hosts.lab().unlink(hosts.linkToA());
        CommandRun run = CommandRun.start("switch", "--wait-for-interface", "--json", file.toString());
        run.awaitText("weir: waits: interface sw0 not found");
        hosts.lab().link(hosts.linkToA());
        run.awaitText(STARTED);
        ping();
        hosts.lab().unlink(hosts.linkToA());
        hosts.lab().unlink(hosts.linkToB());
        run.awaitText("sw0 ended");
        run.awaitText("sw1 ended");
        hosts.lab().link(hosts.linkToA());
        hosts.lab().link(hosts.linkToB());
        run.awaitText("sw0 is back");
        run.awaitText("sw1 is back");
        pingAnew();
        assertEquals(0, run.stop(), run.err());
    }

    // ---- signals

    @Test
    void main_hungUp_reloadsRatesAndPortsAndRefusesABadFile() throws Exception {
        NetNamespace c = hosts.lab().namespace("c");
        hosts.lab().link(LabLink.between(new LabEnd(c, "eth0", "10.78.0.3/24"), new LabEnd(fabric, "sw2")));
        String text = Files.readString(file);
        try (ChildJvm child = ChildJvm.start(List.of(), WeirCommand.class, "switch", "-i", "0", file.toString())) {
            assertTrue(child.awaitLine(STARTED).startsWith(STARTED));
            ping();
            Files.writeString(file, text.replace("rate: 1Gbps", "rate: 700Mbps") + "\n  - interface: sw2\n");
            hangUp(child);
            assertReloaded(child, "3 ports");
            ping();
            InetAddress added = InetAddress.getByName("10.78.0.3");
            assertTrue(a.call(() -> added.isReachable((int) SwitchedHosts.PATIENCE.toMillis())));

            for (String bad : List.of("rate: many", "rate: 1Gbps\n  idle: spin", "rate: 1Gbps\n  mode: generic")) {
                Files.writeString(file, text.replace("rate: 1Gbps", bad));
                hangUp(child);
                String line = child.awaitLine("weir: nothing was reloaded: ");
                assertEquals(1, line.lines().count(), line);
                ping();
            }

            Files.writeString(file, text.replace("rate: 1Gbps", "rate: 300Mbps"));
            hangUp(child);
            assertReloaded(child, "2 ports");
            ping();
            kernelTcp(2_000_000);
            assertEquals(0, programOf("sw2"));
            assertEquals(0, child.terminate());
        }
        assertUntouched();
    }

    @Test
    void main_hungUpForLargerQueues_growsThePoolAndLosesNothingThatIsQueued() throws Exception {
        String text = Files.readString(file).replace("rate: 1Gbps", "rate: 1Mbps");
        Files.writeString(file, text);
        try (ChildJvm child = ChildJvm.start(List.of(), WeirCommand.class, "switch", "-i", "0", file.toString());
                DatagramSocket receiver = b.call(() -> new DatagramSocket(4_000));
                DatagramSocket sender = a.call(() -> new DatagramSocket())) {
            assertTrue(child.awaitLine(STARTED).startsWith(STARTED));
            ping();
            receiver.setSoTimeout((int) SwitchedHosts.PATIENCE.toMillis());
            for (int i = 0; i < QUEUED; i++) {
                sender.send(new DatagramPacket(
                        new byte[1_400], 1_400, InetAddress.getByName(SwitchedHosts.ADDRESS_B), 4_000));
            }
            DatagramPacket packet = new DatagramPacket(new byte[2_000], 2_000);
            for (int i = 0; i < 3; i++) {
                receiver.receive(packet);
            }
            Files.writeString(file, text.replace("375KB", "8MB"));
            hangUp(child);
            assertReloaded(child, "2 ports");
            String grown = child.awaitLine("the pool has grown to ");
            assertTrue(grown.endsWith(" frames, for which every port was opened again"), grown);
            for (int i = 3; i < QUEUED; i++) {
                receiver.receive(packet);
            }
            ping();
            Files.writeString(file, text.replace("375KB", "8MB\n  rate: 1Gbps").replaceFirst("  rate: 1Mbps\n", ""));
            hangUp(child);
            assertReloaded(child, "2 ports");
            kernelTcp(2_000_000);
            assertEquals(0, child.terminate());
        }
        assertUntouched();
    }

    private static void hangUp(ChildJvm child) throws Exception {
        Process kill = new ProcessBuilder("kill", "-HUP", Long.toString(child.processId())).start();
        assertEquals(0, kill.waitFor());
    }

    private static void assertReloaded(ChildJvm child, String ports) throws IOException {
        String line = child.awaitLine("reloaded ");
        assertTrue(line.endsWith(": " + ports), line);
    }

    @Test
    void call_askedToEnd_letsWhatIsQueuedLeave() throws Exception {
        Files.writeString(file, Files.readString(file).replace("rate: 1Gbps", "rate: 1Mbps"));
        CommandRun run = CommandRun.start("switch", "--json", file.toString());
        run.awaitText(STARTED);
        ping();
        try (DatagramSocket receiver = b.call(() -> new DatagramSocket(4_000));
                DatagramSocket sender = a.call(() -> new DatagramSocket())) {
            receiver.setSoTimeout((int) SwitchedHosts.PATIENCE.toMillis());
            for (int i = 0; i < QUEUED; i++) {
                sender.send(new DatagramPacket(
                        new byte[1_400], 1_400, InetAddress.getByName(SwitchedHosts.ADDRESS_B), 4_000));
            }
            DatagramPacket packet = new DatagramPacket(new byte[2_000], 2_000);
            // Each takes 11 ms of the link: when the third is here, all others are in the queue.
            for (int i = 0; i < 3; i++) {
                receiver.receive(packet);
            }
            assertEquals(0, run.stop(), run.err());
            // What was lost would never come; nothing arrives any more once the command has ended.
            receiver.setSoTimeout(1);
            int count = 3;
            for (boolean isMore = true; isMore; count += isMore ? 1 : 0) {
                isMore = receives(receiver, packet);
            }
            assertEquals(QUEUED, count);
        }
    }

    private static boolean receives(DatagramSocket socket, DatagramPacket packet) throws IOException {
        try {
            socket.receive(packet);
            return true;
        } catch (SocketTimeoutException e) {
            return false;
        }
    }

    @Test
    void main_askedToEnd_cleansUpReportsAndEndsWithZero() throws Exception {
        try (ChildJvm child = ChildJvm.start(List.of(), WeirCommand.class, "switch", file.toString())) {
            assertTrue(child.awaitLine(STARTED).startsWith(STARTED));
            assertNotEquals(0, programOf("sw0"));
            assertEquals(0, child.terminate());
            assertTrue(child.awaitLine("failed ports").startsWith("met "));
        }
        assertUntouched();
    }

    @Test
    void main_killed_leavesNoProgramBehind() throws Exception {
        try (ChildJvm child = ChildJvm.start(List.of(), WeirCommand.class, "switch", file.toString())) {
            assertTrue(child.awaitLine(STARTED).startsWith(STARTED));
            assertNotEquals(0, programOf("sw1"));
            child.kill();
        }
        Deadline.await("detaching", () -> programOf("sw0") == 0 && programOf("sw1") == 0);
    }
}
