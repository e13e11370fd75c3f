package io.weir.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.interop.ServerProcess;
import io.weir.nic.NicException;
import io.weir.nic.lab.LiveTest;
import io.weir.nic.lab.TwoHosts;
import io.weir.nic.net.NetNamespace;
import io.weir.nic.testing.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests each sample over AF_XDP: its server on one host, its client on the other. */
@LiveTest
class SamplesLiveTest {
    private static final int FILE_BYTES = 20_000_003;
    private static final Path AGENT =
            Path.of("..", "agent", "target", "weir-agent.jar").toAbsolutePath();

    @TempDir
    Path folder;

    private TwoHosts hosts;

    @BeforeEach
    void open() throws NicException {
        hosts = TwoHosts.create();
    }

    @AfterEach
    void close() {
        hosts.close();
    }

    @Test
    void echo_client_printsWhatCameBack() throws Exception {
        try (ChildJvm server = server(Echo.class)) {
            client(Echo.class, "10.77.0.2 sent back: Hello, Weir");
            server.kill();
        }
    }

    /** By the agent, as docs/MOVE-A-SERVICE.md has it: both ends, or one, and the other by TCP. */
    @ParameterizedTest
    @CsvSource({"true, true", "true, false", "false, true"})
    void plainHttp_agentAtEitherEnd_isAnswered(boolean isServers, boolean isClients) throws Exception {
        try (ChildJvm server = ChildJvm.start(withAgent(hosts.b(), isServers), PlainHttp.class, "server")) {
            server.awaitLine("listening on port 8080");
            try (ChildJvm client =
                    ChildJvm.start(withAgent(hosts.a(), isClients), PlainHttp.class, "client", TwoHosts.ADDRESS_B)) {
                if (isClients) {
                    client.awaitLine(isServers ? "8080 over Weir (expresspass)" : "8080 over TCP");
                }
                String printed = client.awaitLine("calls, median");
                assertTrue(printed.contains("hello, " + TwoHosts.ADDRESS_A + "; 100 calls, median "), printed);
                client.kill();
            }
            server.kill();
        }
    }

    private static List<String> withAgent(NetNamespace host, boolean hasAgent) {
        List<String> launcher = new ArrayList<>(List.of("ip", "netns", "exec", host.name()));
        if (hasAgent) {
            // A head start that no busy machine uses up.
            launcher.addAll(List.of(
                    "env",
                    "WEIR_AGENT_HEAD_START=60000",
                    "JAVA_TOOL_OPTIONS=-javaagent:" + AGENT + "=" + TwoHosts.INTERFACE
                            + " -Dorg.slf4j.simpleLogger.log.io.weir.transport.fallback.Fallback=debug"));
        }
        return launcher;
    }

    @Test
    void rpc_client_printsTheAnswerAndTheMedian() throws Exception {
        try (ChildJvm server = server(Rpc.class)) {
            List<String> lines = client(Rpc.class, "\"drawer\" is \"reward\" in reverse");
            assertTrue(lines.get(0).matches("1000 calls, median \\d+ us"), lines.toString());
            server.kill();
        }
    }

    @Test
    void fileTransfer_file_arrivesWithItsHash() throws Exception {
        byte[] bytes = new byte[FILE_BYTES];
        new Random(1).nextBytes(bytes);
        Path file = Files.write(folder.resolve("file"), bytes);
        String hash =
                HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        try (ChildJvm server = server(FileTransfer.class)) {
            client(FileTransfer.class, "sent SHA-256 " + hash + " " + file, file.toString());
            String received = server.awaitLine("received");
            assertTrue(received.startsWith("received SHA-256 " + hash + " "), received);
            Path copy = Path.of(received.substring(received.lastIndexOf(' ') + 1));
            assertEquals(-1, Files.mismatch(file, copy));
            Files.delete(copy);
            server.kill();
        }
    }

    @Test
    void nettyHttpServer_get_isAnswered() throws Exception {
        try (ChildJvm server = server(NettyHttpServer.class)) {
            client(NettyHttpServer.class, "200 OK: Hello, /weir");
            server.kill();
        }
    }

    @Test
    void grpcGreeter_call_isAnswered() throws Exception {
        try (ChildJvm server = server(GrpcGreeter.class)) {
            client(GrpcGreeter.class, "Hello, Weir");
            server.kill();
        }
    }

    @Test
    void jdbcQuery_query_isAnsweredByPostgreSql() throws Exception {
        hosts.lab().run(hosts.b(), "ip", "link", "set", "lo", "up");
        try (ServerProcess postgres = ServerProcess.postgres(folder, hosts.b());
                ChildJvm server = server(JdbcQuery.class, Integer.toString(postgres.port()))) {
            client(JdbcQuery.class, "1000 rows counted by PostgreSQL", "weir");
            server.kill();
        }
    }

    /** {@return the sample's server, which listens} */
    private ChildJvm server(Class<?> sample, String... options) throws IOException {
        ChildJvm server = start(hosts.b(), sample, List.of("server", TwoHosts.INTERFACE), options);
        String line = server.awaitLine("listening");
        assertTrue(line.startsWith("listening on " + TwoHosts.INTERFACE), line);
        return server;
    }

    /** {@return what a client prints after the line that begins as {@code expected}; it has ended without a fault} */
    private List<String> client(Class<?> sample, String expected, String... options) throws Exception {
        try (ChildJvm client =
                start(hosts.a(), sample, List.of("client", TwoHosts.INTERFACE, TwoHosts.ADDRESS_B), options)) {
            String line = client.awaitLine(expected);
            assertTrue(line.startsWith(expected), line);
            String rest = client.awaitLine("\0"); // which no line contains: all of them
            assertEquals(0, client.terminate(), rest);
            return rest.lines().toList();
        }
    }

    private static ChildJvm start(NetNamespace host, Class<?> sample, List<String> role, String... options)
            throws IOException {
        List<String> arguments = new ArrayList<>(role);
        arguments.addAll(List.of(options));
        return ChildJvm.start(List.of("ip", "netns", "exec", host.name()), sample, arguments.toArray(String[]::new));
    }
}
