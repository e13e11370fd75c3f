package io.weir.cli.perf;

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
import io.weir.transport.protocol.ProtocolConfig;
import io.weir.transport.protocol.catalogue.Catalogue;
import io.weir.transport.testing.Background;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the command over AF_XDP: a server and a client, each its own process, in two namespaces. */
@LiveTest
class PerfLiveTest {
    private TwoHosts hosts;

    @BeforeEach
    void open() throws IOException {
        hosts = TwoHosts.create();
    }

    @AfterEach
    void close() {
        hosts.close();
    }

    private static List<String> in(NetNamespace namespace) {
        return List.of("ip", "netns", "exec", namespace.name());
    }

    private ChildJvm server(String... options) throws IOException {
        ChildJvm server = ChildJvm.start(
                in(hosts.b()), WeirCommand.class, arguments(TwoHosts.INTERFACE, List.of("-s", "--verbose"), options));
        assertTrue(server.awaitLine("Serving on port").startsWith("Serving on port 5201 of weir0"));
        return server;
    }

    private static String[] arguments(String interfaceName, List<String> first, String... options) {
        List<String> all = new ArrayList<>(List.of("perf", "--interface", interfaceName, "--link-rate", "1Gbps"));
        all.addAll(first);
        all.addAll(List.of(options));
        return all.toArray(String[]::new);
    }

    /** A client that ended by itself. */
    private record ClientRun(int status, JsonNode document) {}

    private ClientRun client(String... options) throws IOException, InterruptedException {
        return clientOn(TwoHosts.INTERFACE, options);
    }

    private ClientRun clientOn(String interfaceName, String... options) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(in(hosts.a()));
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "--add-opens",
                "java.base/jdk.internal.misc=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                WeirCommand.class.getName()));
        command.addAll(List.of(arguments(interfaceName, List.of("-c", TwoHosts.ADDRESS_B, "--json"), options)));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new ClientRun(process.waitFor(), Documents.valid(out));
    }

    /** {@return a client on a thread of this process, in the other namespace: no JVM is started for it} */
    private ClientRun clientInThisProcess(String... options) throws IOException {
        String[] arguments = arguments(TwoHosts.INTERFACE, List.of("-c", TwoHosts.ADDRESS_B, "--json"), options);
        CommandRun run = hosts.a().<CommandRun, IOException>call(() -> CommandRun.execute(arguments));
        return new ClientRun(run.await(), Documents.valid(run.out()));
    }

    @Test
    void run_twoLoopsOnEachSide_movesCheckedBytes() throws Exception {
        hosts.close();
        hosts = TwoHosts.create(link -> link.withQueues(2));
        try (ChildJvm server = server("--queues", "2", "-1")) {
            ClientRun run = client("--queues", "2", "-P", "8", "-n", "1MB", "--verify", "9");
            assertEquals(ExitCode.DONE, run.status, run.document.toString());
            assertEquals(8, run.document.at("/result/server/streams").size());
            server.awaitLine("met     SHA-256 of stream 7");
        }
    }

    @Test
    void run_moreLoopsThanQueues_isRefusedWithTheRemedy() throws Exception {
        ClientRun run = client("--queues", "2", "-n", "1MB");
        assertEquals(ExitCode.ENVIRONMENT, run.status);
        String document = run.document.toString();
        assertTrue(document.contains("queueCount=2 exceeds the 1 receive queues"), document);
    }

    /** The kernel answers in a shape that is left to the kernel. */
    @Test
    void run_answersInFragments_theTimeOutCountsThemByReason() throws Exception {
        InetSocketAddress address = new InetSocketAddress(TwoHosts.ADDRESS_B, 5201);
        CompletableFuture<Void> answering;
        try (DatagramSocket kernel = hosts.b().call(() -> new DatagramSocket(address))) {
            answering = Background.run(() -> answerInFragments(kernel));
            String[] arguments =
                    arguments(TwoHosts.INTERFACE, List.of("-c", TwoHosts.ADDRESS_B), "--connect-timeout", "1");
            CommandRun run = hosts.a().<CommandRun, IOException>call(() -> CommandRun.execute(arguments));
            assertEquals(ExitCode.FAILED, run.await());
            assertTrue(
                    run.err()
                            .matches(
                                    "(?s).*; frames came for this end that Weir does not take: [1-9]\\d* fragmented.*"),
                    run.err());
        }
        answering.get();
    }

    private static void answerInFragments(DatagramSocket socket) {
        byte[] bytes = new byte[3_000];
        try {
            while (true) {
                DatagramPacket request = new DatagramPacket(bytes, bytes.length);
                socket.receive(request);
                socket.send(new DatagramPacket(bytes, bytes.length, request.getSocketAddress()));
            }
        } catch (IOException e) {
            assertTrue(socket.isClosed(), e.getMessage());
        }
    }

    @Test
    void run_eachWayChecked_arrivesOverAfXdpAndSaysHow() throws Exception {
        try (ChildJvm server = server("-1")) {
            ClientRun run = client("--bidir", "-n", "5MB", "--verify", "11");
            assertEquals(ExitCode.DONE, run.status, run.document.toString());
            for (String side : List.of("client", "server")) {
                JsonNode port = run.document.at("/result/" + side + "/environment/ports/0");
                assertEquals("afxdp", port.path("backend").asText());
                assertEquals("veth", port.path("driver").asText());
                assertTrue(!port.path("mode").asText().isEmpty()
                        && !port.path("reason").asText().isEmpty());
            }
            assertTrue(server.awaitLine("NOT MET").contains("met     SHA-256 of stream 1"));
        }
    }

    /** One server speaks all of them, and is told nothing. */
    @Test
    @Tag("slow")
    void run_eachProtocol_movesCheckedBytesOverAfXdpAndIsNamed() throws Exception {
        try (ChildJvm server = server()) {
            for (ProtocolConfig protocol : Catalogue.forRealPorts()) {
                ClientRun run = clientInThisProcess("--protocol", protocol.preset(), "-n", "2MB", "--verify", "7");
                assertEquals(ExitCode.DONE, run.status, run.document.toString());
                for (String side : List.of("client", "server")) {
                    JsonNode stream = run.document.at("/result/" + side + "/streams/0");
                    assertEquals(protocol.id().name(), stream.path("protocol").asText());
                    assertEquals(protocol.preset(), stream.path("preset").asText());
                }
                assertTrue(server.awaitLine("SHA-256 of stream 0").startsWith("met "));
            }
        }
    }

    @Test
    void serve_clientKilled_servesTheNext() throws Exception {
        try (ChildJvm server = server()) {
            try (ChildJvm client = ChildJvm.start(
                    in(hosts.a()),
                    WeirCommand.class,
                    arguments(TwoHosts.INTERFACE, List.of("-c", TwoHosts.ADDRESS_B), "-t", "60"))) {
                assertTrue(client.awaitLine(" sec ").contains(" sec "));
                client.kill();
            }
            // The client's kernel says that nobody has its port any more; silence would take eight seconds to tell.
            assertTrue(server.awaitLine("is gone").contains("may have restarted"));
            ClientRun run = client("-n", "1MB", "--verify", "3");
            assertEquals(ExitCode.DONE, run.status, run.document.toString());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"-P 1", "-P 100", "-R", "--bidir", "--rr 64"})
    void run_serverKilled_isToldByItsKernelAndHasWhatWasMeasured(String mode) throws Exception {
        String[] options = (mode + " -t 600 -i 200ms --json-stream").split(" ", -1);
        try (ChildJvm server = server();
                ChildJvm client = ChildJvm.start(
                        in(hosts.a()),
                        WeirCommand.class,
                        arguments(TwoHosts.INTERFACE, List.of("-c", TwoHosts.ADDRESS_B), options))) {
            assertTrue(client.awaitLine("\"event\":\"interval\"").startsWith("{"));
            server.kill();
            String last = client.awaitLine("\"event\":\"error\"");
            JsonNode document = Documents.valid(last).path("data");
            assertTrue(document.at("/error/message").asText().contains("may have restarted"), document.toString());
            assertEquals(ExitCode.FAILED, document.at("/error/exitCode").asInt());
            assertFalse(document.at("/result/intervals").isEmpty());
            assertEquals(ExitCode.FAILED, client.awaitEnd());
        }
    }

    @Test
    void serve_toldToEnd_tellsItsClientAndHasDoneItsDuty() throws Exception {
        try (ChildJvm server = server();
                ChildJvm client = ChildJvm.start(
                        in(hosts.a()),
                        WeirCommand.class,
                        arguments(TwoHosts.INTERFACE, List.of("-c", TwoHosts.ADDRESS_B), "-t", "600"))) {
            assertTrue(client.awaitLine(" sec ").contains(" sec "));
            assertEquals(ExitCode.DONE, server.terminate());
            assertTrue(client.awaitLine("weir: ").contains("gave the test up: the server was interrupted"));
            assertEquals(ExitCode.FAILED, client.awaitEnd());
        }
    }

    @Test
    void run_noSuchInterface_isTheEnvironmentsFault() throws Exception {
        ClientRun run = clientOn("nope0");
        assertEquals(ExitCode.ENVIRONMENT, run.status);
        assertTrue(
                run.document.at("/error/message").asText().startsWith("interface nope0 not found; interfaces here: "),
                run.document.toString());
    }
}
