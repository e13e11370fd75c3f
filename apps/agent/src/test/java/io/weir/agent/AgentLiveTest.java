package io.weir.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.nic.NicException;
import io.weir.nic.broker.BrokerProcess;
import io.weir.nic.lab.LiveTest;
import io.weir.nic.lab.TwoHosts;
import io.weir.nic.net.NetNamespace;
import io.weir.nic.testing.ChildJvm;
import io.weir.nic.testing.ReadableClassPath;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests unmodified programs on two hosts, with the agent at both ends, at one, and with rules. */
@LiveTest
class AgentLiveTest {
    private static final String USER = "61004";

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

    private static ChildJvm start(NetNamespace host, String agent, String... arguments) throws IOException {
        return AgentJvm.start(host, agent, HttpPrograms.class, arguments);
    }

    private String call(String serverKind, String serversAgent, String clientsAgent) throws Exception {
        try (ChildJvm server = start(hosts.b(), serversAgent, serverKind)) {
            server.awaitLine("listening");
            try (ChildJvm client = start(hosts.a(), clientsAgent, "client", TwoHosts.ADDRESS_B)) {
                String line = client.awaitLine("done");
                assertEquals(0, client.terminate(), line);
                return line;
            } finally {
                server.kill();
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"jdk", "tomcat", "jetty", "socket", "asynchronous"})
    void programs_agentsAtBothEnds_talkOverWeir(String serverKind) throws Exception {
        String ways = call(serverKind, TwoHosts.INTERFACE, TwoHosts.INTERFACE);
        assertTrue(ways.contains("over Weir (expresspass)"), ways);
        assertTrue(!ways.contains("over TCP"), ways);
    }

    @ParameterizedTest
    @CsvSource({"jdk", "socket"})
    void programs_serverWithoutAgent_talkOverTcpAndSayWhy(String serverKind) throws Exception {
        String ways = call(serverKind, "", TwoHosts.INTERFACE);
        assertTrue(ways.contains("over TCP") && ways.contains("Weir was tried first"), ways);
        assertTrue(!ways.contains("over Weir"), ways);
    }

    @ParameterizedTest
    @CsvSource({"jdk", "tomcat", "jetty", "socket", "asynchronous"})
    void programs_clientWithoutAgent_isServedByTheSamePort(String serverKind) throws Exception {
        assertEquals("done without an agent", call(serverKind, TwoHosts.INTERFACE, ""));
    }

    @Test
    void programs_rulesOfAFile_areFollowed() throws Exception {
        Path rules = Files.writeString(
                folder.resolve("sockets.conf"),
                "connect 10.77.0.0/24 8080 weir interface=" + TwoHosts.INTERFACE + " protocol=dctcp\n");
        String ways = call("jdk", TwoHosts.INTERFACE, rules.toString());
        assertTrue(ways.contains("over Weir (dctcp)") && ways.contains("sockets.conf:1 (weir)"), ways);
    }

    /** Neither the program nor its JVM has a privilege: the interface is the broker's. */
    @Test
    void programs_ofAnOrdinaryUser_goByTheBrokerThatServesTheInterface() throws Exception {
        String classPath = withoutTheAgent(ReadableClassPath.copyTo(folder));
        Path jar = readable(Files.copy(AgentJvm.JAR, folder.resolve("agent.jar")));
        Path run = Files.createDirectory(folder.resolve("run"));
        Files.setPosixFilePermissions(run, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path socket = run.resolve(TwoHosts.INTERFACE + ".sock");
        Path rules = readable(
                Files.writeString(folder.resolve("sockets.conf"), "listen * 8080 weir interface=" + socket + "\n"));
        List<String> inB = List.of("ip", "netns", "exec", hosts.b().name());
        List<String> asUser = new ArrayList<>(inB);
        asUser.addAll(List.of("setpriv", "--reuid", USER, "--regid", USER, "--clear-groups", "--no-new-privs"));
        asUser.addAll(List.of("env", "JAVA_TOOL_OPTIONS=-javaagent:" + jar + "=" + rules));
        try (ChildJvm broker = ChildJvm.start(inB, BrokerProcess.class, TwoHosts.INTERFACE, socket.toString());
                ChildJvm server = startBehind(broker, asUser, classPath);
                ChildJvm client = start(hosts.a(), TwoHosts.INTERFACE, "client", TwoHosts.ADDRESS_B)) {
            String ways = client.awaitLine("done");
            assertTrue(ways.contains("over Weir (expresspass)"), ways);
            assertTrue(!ways.contains("over TCP"), ways);
            assertEquals(0, client.terminate());
            server.kill();
            broker.awaitLine("GONE");
            broker.kill();
        }
    }

    private static ChildJvm startBehind(ChildJvm broker, List<String> launcher, String classPath) throws IOException {
        broker.awaitLine("SERVING");
        ChildJvm server = ChildJvm.start(launcher, classPath, HttpPrograms.class, "jdk");
        server.awaitLine("listening");
        return server;
    }

    private static Path readable(Path file) throws IOException {
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r--r--r--"));
    }

    private static String withoutTheAgent(String classPath) {
        return Arrays.stream(classPath.split(File.pathSeparator, -1))
                .filter(entry -> !entry.matches(".*/\\d+-classes"))
                .collect(Collectors.joining(File.pathSeparator));
    }

    @Test
    void programs_interfaceIsMissing_talkOverTcp() throws Exception {
        String ways = call("jdk", "nosuch0", "nosuch0");
        assertTrue(ways.contains("over TCP") && ways.contains("nosuch0"), ways);
    }

    @Test
    void agent_wrongRules_endsTheStartWithThePlace() throws Exception {
        Path rules = Files.writeString(folder.resolve("sockets.conf"), "\nconnect * * maybe\n");
        try (ChildJvm server = start(hosts.b(), rules.toString(), "jdk")) {
            String line = server.awaitLine("weir-agent:");
            assertTrue(line.contains("sockets.conf:2:13: maybe is no way; give weir, prefer or tcp"), line);
            assertEquals(1, server.terminate());
        }
    }

    @Test
    void programs_flightRecorder_hasTheWays() throws Exception {
        try (ChildJvm server = start(hosts.b(), TwoHosts.INTERFACE, "jdk")) {
            server.awaitLine("listening");
            try (ChildJvm client = start(hosts.a(), TwoHosts.INTERFACE, "client", TwoHosts.ADDRESS_B)) {
                String events = client.awaitLine("events");
                assertTrue(events.contains(TwoHosts.ADDRESS_B + ":8080 over Weir (expresspass)"), events);
                client.kill();
            }
            server.kill();
        }
    }

    @Test
    void programs_nettysEpoll_isToldOf() throws Exception {
        try (ChildJvm program = start(hosts.a(), TwoHosts.INTERFACE, "epoll")) {
            String line = program.awaitLine("epoll");
            assertTrue(line.contains("-Dio.netty.transport.noNative=true"), line);
            program.kill();
        }
    }

    @Test
    void agent_twice_saysSoAndWorksOnce() throws Exception {
        try (ChildJvm server = start(hosts.b(), TwoHosts.INTERFACE + " -javaagent:" + AgentJvm.JAR + "=x", "jdk")) {
            String line = server.awaitLine("weir-agent:");
            assertTrue(line.contains("twice"), line);
            server.awaitLine("listening");
            server.kill();
        }
    }
}
