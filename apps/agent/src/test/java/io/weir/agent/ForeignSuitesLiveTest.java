package io.weir.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.testsuite.transport.socket.AbstractSocketTest;
import io.weir.nic.lab.LiveTest;
import io.weir.nic.lab.TwoHosts;
import io.weir.nic.testing.ChildJvm;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.network.NetworkTestUtils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs other projects' own tests of what they do with channels and sockets, from their published jars, in processes
 * with the agent whose rules let nothing go over TCP. Both ends of a connection are in one process, since the tests
 * have it so: its frames pass from the transport to itself, and not through the interface.
 */
@Tag("slow")
@LiveTest
class ForeignSuitesLiveTest {
    private static final Pattern RESULT = Pattern.compile("(passed=.*) \\{(.*)} \\[(.*)]");

    private static final String AT_ONCE =
            "takes what one end has written for what the other can read: TCP's loopback does both in one call";
    private static final String KERNEL_TOO = "fails over the kernel's TCP too, now and then: a ticket of TLS 1.3 that "
            + "comes late counts as use of the connection";

    private static final String UNSENT =
            "resets right after a write whose bytes it then expects at the peer: TCP sends "
                    + "in the call that writes, and a reset drops what Weir has not sent";
    private static final String IN_SECONDS =
            "gives 100 MiB, twice, 30 s in all, which a busy machine does not always keep";

    /** What is not run of Kafka's, and why. */
    private static final Map<String, String> KAFKA_EXCLUDED = new TreeMap<>(Map.of(
            "SelectorTest#testMuteOnOOM", AT_ONCE,
            "Tls12SelectorTest#testMuteOnOOM", AT_ONCE,
            "Tls13SelectorTest#testMuteOnOOM", AT_ONCE,
            "SslTransportLayerTest#testSelectorPollReadSize", AT_ONCE,
            "Tls13SelectorTest#testCloseOldestConnection", KERNEL_TOO));

    /** What is not run of Netty's, and why. */
    private static final Map<String, String> NETTY_EXCLUDED = new TreeMap<>(Map.of(
            "SocketHalfClosedTest#testAutoCloseFalseDoesShutdownOutput", UNSENT,
            "SocketConditionalWritabilityTest#testConditionalWritability", IN_SECONDS));

    /**
     * One process with a suite's tests.
     *
     * @param classes the classes' names
     * @param passed how many tests there are in them, without those that are not run
     * @param skipped how many the suite itself skips
     * @param connections how many connections they make at least
     */
    record Row(String suitePackage, List<String> classes, int passed, int skipped, int connections) {
        @Override
        public String toString() {
            return String.join(", ", classes);
        }
    }

    private static final String KAFKA = "org.apache.kafka.common.network.";
    private static final List<Row> KAFKA_ROWS = List.of(
            new Row(KAFKA, List.of("SelectorTest"), 32, 0, 38),
            new Row(KAFKA, List.of("Tls12SelectorTest"), 37, 0, 45),
            new Row(KAFKA, List.of("Tls13SelectorTest"), 36, 0, 45),
            new Row(KAFKA, List.of("SslTransportLayerTest"), 156, 0, 50),
            new Row(KAFKA, List.of("SslTransportTls12Tls13Test", "SslVersionsTransportLayerTest"), 20, 0, 16),
            new Row(
                    KAFKA,
                    List.of(
                            "ChannelBuildersTest",
                            "KafkaChannelTest",
                            "NetworkReceiveTest",
                            "SaslChannelBuilderTest",
                            "ServerConnectionIdTest"),
                    20,
                    0,
                    0));
    /** What the others are made of: it has no test that is run by its name. */
    private static final String KAFKA_BASE = "SslSelectorTest";

    private static final String NETTY = "io.netty.testsuite.transport.socket.";
    private static final List<Row> NETTY_ROWS = List.of(
            new Row(
                    NETTY,
                    List.of(
                            "CompositeBufferGatheringWriteTest",
                            "ServerSocketSuspendTest",
                            "SocketAddressesTest",
                            "SocketAutoReadTest",
                            "SocketBufReleaseTest",
                            "SocketCancelWriteTest",
                            "SocketChannelNotYetConnectedTest",
                            "SocketCloseForciblyTest",
                            "SocketConditionalWritabilityTest",
                            "SocketConnectTest",
                            "SocketConnectionAttemptTest",
                            "SocketDataReadInitialStateTest"),
                    21,
                    1,
                    38),
            new Row(
                    NETTY,
                    List.of(
                            "SocketEchoTest",
                            "SocketExceptionHandlingTest",
                            "SocketFileRegionTest",
                            "SocketFixedLengthEchoTest",
                            "SocketGatheringWriteTest"),
                    23,
                    0,
                    43),
            new Row(
                    NETTY,
                    List.of(
                            "SocketHalfClosedTest",
                            "SocketMultipleConnectTest",
                            "SocketObjectEchoTest",
                            "SocketReadPendingTest",
                            "SocketRstTest",
                            "SocketShutdownOutputByPeerTest",
                            "SocketShutdownOutputBySelfTest",
                            "SocketSpdyEchoTest",
                            "SocketStringEchoTest",
                            "WriteBeforeRegisteredTest"),
                    22,
                    1,
                    43),
            new Row(
                    NETTY,
                    List.of(
                            "SocketSslClientRenegotiateTest",
                            "SocketSslGreetingTest",
                            "SocketSslSessionReuseTest",
                            "SocketStartTlsTest"),
                    19,
                    64,
                    38));
    /**
     * Not run: what opens no stream, what compares rates with the clock, and of those about TLS the two with
     * hundreds of combinations of its settings, which take longer than all others together.
     */
    private static final Pattern NETTY_OTHERS = Pattern.compile(
            "Abstract.*|Datagram.*|TrafficShapingHandlerTest|SocketSslLargeCertificateTest|SocketSslEchoTest");

    @TempDir
    Path folder;

    private TwoHosts hosts;

    @BeforeEach
    void open() throws Exception {
        hosts = TwoHosts.create();
        // Netty's tests need a way to an address that nobody answers from.
        hosts.lab().run(hosts.a(), "ip", "route", "add", "198.51.100.0/24", "via", TwoHosts.ADDRESS_B);
    }

    @AfterEach
    void close() {
        hosts.close();
    }

    static Stream<Row> rows() {
        return Stream.concat(KAFKA_ROWS.stream(), NETTY_ROWS.stream());
    }

    @ParameterizedTest
    @MethodSource("rows")
    void suites_overWeirAlone_pass(Row row) throws Exception {
        String classes = row.classes().stream().map(row.suitePackage()::concat).collect(Collectors.joining(","));
        Set<String> excluded = new TreeSet<>(KAFKA_EXCLUDED.keySet());
        excluded.addAll(NETTY_EXCLUDED.keySet());
        requireResult(run(classes, excluded), row);
    }

    /** Else a class that a newer version brings would be left out by nobody's decision. */
    @Test
    void suites_ofKafka_areAllRun_butOneInTen() throws Exception {
        Set<String> named = new TreeSet<>(Set.of(KAFKA_BASE));
        int tests = KAFKA_EXCLUDED.size();
        for (Row row : KAFKA_ROWS) {
            named.addAll(row.classes());
            tests += row.passed();
        }
        assertEquals(testClasses(NetworkTestUtils.class), named);
        assertTrue(KAFKA_EXCLUDED.size() * 10 <= tests, KAFKA_EXCLUDED.toString());
    }

    @Test
    void suites_ofNetty_areAllRun_butWhatHasNoStream() throws Exception {
        Set<String> named = new TreeSet<>();
        NETTY_ROWS.forEach(row -> named.addAll(row.classes()));
        Set<String> wanted = testClasses(AbstractSocketTest.class);
        wanted.removeIf(name -> NETTY_OTHERS.matcher(name).matches());
        assertEquals(wanted, named);
    }

    /** {@return the classes of tests that a jar has in the package of one of its classes} */
    private static Set<String> testClasses(Class<?> member) throws IOException, URISyntaxException {
        URI jar = member.getProtectionDomain().getCodeSource().getLocation().toURI();
        String prefix = member.getPackageName().replace('.', '/') + "/";
        try (JarFile file = new JarFile(Path.of(jar).toFile())) {
            return file.stream()
                    .map(entry -> entry.getName())
                    .filter(name -> name.startsWith(prefix) && name.endsWith("Test.class"))
                    .map(name -> name.substring(prefix.length(), name.length() - ".class".length()))
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }

    private String run(String classes, Set<String> excluded) throws Exception {
        Path rules = Files.writeString(
                folder.resolve("sockets.conf"), "both * * weir interface=" + TwoHosts.INTERFACE + "\n");
        List<String> arguments = new ArrayList<>(List.of(classes));
        arguments.addAll(excluded);
        try (ChildJvm suite = AgentJvm.startOptimised(
                hosts.a(), rules.toString(), ForeignSuite.class, arguments.toArray(String[]::new))) {
            String all = suite.awaitLine("suite: ");
            assertEquals(0, suite.awaitEnd(), all);
            return all;
        }
    }

    private static void requireResult(String line, Row row) {
        Matcher result = RESULT.matcher(line);
        assertTrue(result.find(), line);
        assertEquals("passed=" + row.passed() + " failed=0 skipped=" + row.skipped(), result.group(1), line);
        Map<String, Long> ways = Arrays.stream(result.group(2).split(", ", -1))
                .filter(way -> !way.isEmpty())
                .map(way -> way.split("=", 2))
                .collect(Collectors.toMap(way -> way[0], way -> Long.valueOf(way[1])));
        assertTrue(ways.getOrDefault("weir", 0L) >= row.connections(), line);
        assertTrue(Set.of("weir", "failed").containsAll(ways.keySet()), line);
    }
}
