package io.weir.cli.stat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.cli.WeirCommand;
import io.weir.cli.environment.ExitCode;
import io.weir.cli.testing.CommandRun;
import io.weir.cli.testing.Documents;
import io.weir.nic.lab.LiveTest;
import io.weir.nic.lab.TwoHosts;
import io.weir.nic.net.NetNamespace;
import io.weir.nic.testing.ChildJvm;
import io.weir.nic.testing.Deadline;
import io.weir.transport.observation.CounterFolder;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that {@code weir stat} sees what transports of other processes do on real ports, and when they are gone. */
@LiveTest
class StatLiveTest {
    private static final int PORT = 5201;
    private static final String SERVING = "Serving on port";

    @TempDir
    private Path folder;

    private final List<ChildJvm> children = new ArrayList<>();
    private TwoHosts hosts;

    @BeforeEach
    void open() throws IOException {
        hosts = TwoHosts.create();
    }

    @AfterEach
    void close() {
        children.forEach(ChildJvm::close);
        hosts.close();
    }

    private ChildJvm perf(NetNamespace namespace, String... arguments) throws IOException {
        List<String> words = new ArrayList<>(List.of("perf", "--interface", TwoHosts.INTERFACE));
        words.addAll(List.of(arguments));
        ChildJvm child = ChildJvm.start(
                List.of("ip", "netns", "exec", namespace.name()), WeirCommand.class, words.toArray(String[]::new));
        children.add(child);
        return child;
    }

    private static String processId(ChildJvm child) {
        return Long.toString(child.processId());
    }

    /** {@return the one transport of a process as the document has it, or null while there is none} */
    private static JsonNode transport(ChildJvm child, String... options) {
        List<String> words = new ArrayList<>(List.of("stat", processId(child), "--json"));
        words.addAll(List.of(options));
        CommandRun run = CommandRun.execute(words.toArray(String[]::new));
        if (run.await() != ExitCode.DONE) {
            return null;
        }
        JsonNode transports = Documents.valid(run.out()).at("/result/transports");
        assertEquals(1, transports.size());
        return transports.get(0);
    }

    private static boolean sends(ChildJvm client) {
        JsonNode seen = transport(client, "--flows");
        return seen != null && seen.at("/loops/0/SEND_RATE_BPS").asLong() > 1_000_000 && hasBulk(seen);
    }

    /** {@return whether one of the flows is open and sends, and not merely the loop that they share} */
    private static boolean hasBulk(JsonNode seen) {
        for (JsonNode flow : seen.get("flows")) {
            if (flow.get("SEND_RATE_BPS").asLong() > 0
                    && flow.get("state").asText().equals("established")) {
                return true;
            }
        }
        return false;
    }

    /** A frame for the server's port that is none of Weir's. */
    private void sendNonsense() throws IOException {
        hosts.a().<Void, IOException>call(() -> {
            try (DatagramSocket socket = new DatagramSocket()) {
                byte[] nonsense = "this is no frame of Weir, and it is long enough".getBytes(StandardCharsets.US_ASCII);
                socket.send(
                        new DatagramPacket(nonsense, nonsense.length, new InetSocketAddress(TwoHosts.ADDRESS_B, PORT)));
            }
            return null;
        });
    }

    private static boolean hasDropped(ChildJvm server) {
        JsonNode seen = transport(server);
        return seen != null && seen.get("drops").size() > 0;
    }

    @Test
    void stat_perfRuns_showsRatesDropsAndConnectionsOfBothEnds() throws Exception {
        ChildJvm server = perf(hosts.b(), "-s");
        server.awaitLine(SERVING);
        ChildJvm client = perf(hosts.a(), "-c", TwoHosts.ADDRESS_B, "-t", "600");
        Deadline.await("a rate of the client", () -> sends(client));
        sendNonsense();
        Deadline.await("a drop at the server", () -> hasDropped(server));

        JsonNode seen = transport(client, "--flows", "--diff", "100ms");
        assertEquals(TwoHosts.INTERFACE, seen.get("interface").asText());
        assertEquals("afxdp", seen.get("backend").asText());
        assertEquals("WeirCommand", seen.get("program").asText());
        assertTrue(seen.at("/difference/changes/WIRE_BYTES_SENT").asLong() > 0, seen.toString());
        assertTrue(seen.at("/dutyPpm").asLong() > 0, seen.toString());
        assertTrue(seen.at("/loops/0/FRAMES_FREE").asLong() > 0, seen.toString());
        assertTrue(seen.at("/counters/CREDITS_USED").asLong() > 0, seen.toString());
        for (JsonNode flow : seen.get("flows")) {
            assertTrue(flow.get("remote").asText().startsWith(TwoHosts.ADDRESS_B + ":"), flow.toString());
        }
        assertTrue(hasBulk(seen), seen.toString());
        Deadline.await(
                "a rate of the server",
                () -> transport(server).at("/loops/0/RECEIVE_RATE_BPS").asLong() > 1_000_000);

        String glance = CommandRun.execute("stat", processId(server)).out();
        assertTrue(glance.contains(TwoHosts.INTERFACE) && glance.contains(" x drop: "), glance);
        String flows = CommandRun.execute("stat", processId(server), "--flows").out();
        assertTrue(flows.contains(TwoHosts.ADDRESS_A + ":") && flows.contains("established"), flows);

        Path file = Path.of(seen.get("file").asText());
        assertEquals(CounterFolder.DEFAULT, file.getParent().getParent());
        client.terminate();
        assertFalse(Files.exists(file));
    }

    @Test
    void stat_broker_countsItsClients() throws Exception {
        String socket = folder.resolve("broker.sock").toString();
        ChildJvm broker = ChildJvm.start(
                List.of("ip", "netns", "exec", hosts.b().name()),
                WeirCommand.class,
                "broker",
                "--interface",
                TwoHosts.INTERFACE,
                "--socket",
                socket);
        children.add(broker);
        broker.awaitLine("serving " + TwoHosts.INTERFACE);
        ChildJvm server = ChildJvm.start(
                List.of("ip", "netns", "exec", hosts.b().name()),
                WeirCommand.class,
                "perf",
                "-s",
                "--backend",
                "broker",
                "--interface",
                socket);
        children.add(server);
        server.awaitLine(SERVING);
        Deadline.await("a client is counted", () -> {
            CommandRun run = CommandRun.execute("stat", processId(broker), "--json");
            JsonNode seen = Documents.valid(run.out()).at("/result/brokers/0");
            return seen.at("/loops/0/CLIENTS").asLong() == 1
                    && seen.get("interface").asText().equals(TwoHosts.INTERFACE);
        });
        String glance = CommandRun.execute("stat", processId(broker)).out();
        assertTrue(glance.contains("broker over afxdp") && glance.contains("clients 1 of 1 ever served"), glance);
    }

    @Test
    void stat_processKilled_removesItsFileAndSaysSo() throws Exception {
        ChildJvm server = perf(hosts.b(), "-s");
        server.awaitLine(SERVING);
        Path file = Path.of(transport(server).get("file").asText());
        server.kill();
        CommandRun run = CommandRun.execute("stat");
        assertEquals(ExitCode.DONE, run.await());
        assertTrue(run.out().contains(file + " is of a process that has ended, and was removed"), run.out());
        assertFalse(Files.exists(file));
    }
}
