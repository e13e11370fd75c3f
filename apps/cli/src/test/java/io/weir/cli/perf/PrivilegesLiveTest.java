package io.weir.cli.perf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cli.WeirCommand;
import io.weir.nic.lab.LiveTest;
import io.weir.nic.lab.TwoHosts;
import io.weir.nic.net.NetNamespace;
import io.weir.nic.testing.ChildJvm;
import io.weir.nic.testing.ReadableClassPath;
import io.weir.transport.testing.Document;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that a user without root runs the program with the capabilities that SECURITY.md names, and with none less. */
@LiveTest
class PrivilegesLiveTest {
    /** What a Debian machine allows. */
    private static final String LOCKED_BYTES = "8388608";

    private static final Pattern BLOCK = Pattern.compile("(?s)<!-- begin setpriv -->\\n(.*?)<!-- end setpriv -->");
    private static final Pattern BOUND = Pattern.compile("--bounding-set -all,(\\S+)");

    @TempDir
    static Path folder;

    private static String classPath;

    private TwoHosts hosts;

    @BeforeAll
    static void copyClassPath() throws IOException {
        classPath = ReadableClassPath.copyTo(folder);
    }

    @BeforeEach
    void open() throws IOException {
        hosts = TwoHosts.create();
    }

    @AfterEach
    void close() {
        hosts.close();
    }

    /** The words of the documented line before {@code java}, without {@code dropped}. */
    private static List<String> documentedLine(String dropped) {
        Matcher block = BLOCK.matcher(Document.read("SECURITY.md"));
        assertTrue(block.find());
        String line = block.group(1).replace("\\\n", " ").replace(",+" + dropped, "");
        List<String> words = List.of(line.strip().split("\\s+", -1));
        return words.subList(0, words.indexOf("java"));
    }

    private static List<String> launcher(NetNamespace namespace, String dropped) {
        List<String> words = new ArrayList<>(List.of("ip", "netns", "exec", namespace.name()));
        words.addAll(List.of("prlimit", "--memlock=" + LOCKED_BYTES + ":" + LOCKED_BYTES));
        words.addAll(documentedLine(dropped));
        return words;
    }

    private ChildJvm start(NetNamespace namespace, String dropped, String... options) throws IOException {
        List<String> arguments =
                new ArrayList<>(List.of("perf", "--interface", TwoHosts.INTERFACE, "--link-rate", "1Gbps"));
        arguments.addAll(List.of(options));
        return ChildJvm.start(
                launcher(namespace, dropped), classPath, WeirCommand.class, arguments.toArray(String[]::new));
    }

    @Test
    void perf_userWithoutRoot_movesCheckedBytesWithTheDocumentedCapabilities() throws Exception {
        try (ChildJvm server = start(hosts.b(), "none", "-s", "-1")) {
            assertTrue(server.awaitLine("Serving on port").startsWith("Serving on port 5201 of weir0"));
            try (ChildJvm client =
                    start(hosts.a(), "none", "-c", TwoHosts.ADDRESS_B, "-n", "5MB", "--verbose", "--verify", "3")) {
                assertTrue(client.awaitLine("SHA-256 of stream 0").startsWith("met "));
            }
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            net_raw   | missing CAP_NET_RAW (AF_XDP sockets)
            net_admin | missing CAP_NET_ADMIN (attaching the XDP program)
            bpf       | missing CAP_BPF (loading the XDP program)
            perfmon   | missing CAP_PERFMON (loading the XDP program)
            ipc_lock  | ENOBUFS (no buffer space available); grant CAP_IPC_LOCK, raise the limit of locked memory
            """)
    void perf_oneCapabilityLess_isRefusedWithItsName(String dropped, String message) throws Exception {
        try (ChildJvm server = start(hosts.b(), dropped, "-s", "-1")) {
            String line = server.awaitLine(message);
            assertTrue(line.startsWith("weir: "), line);
        }
        assertEquals(0, TwoHosts.facts(hosts.b()).xdpProgramId());
    }

    @Test
    void unitOfSystemd_capabilities_areThoseOfTheLine() {
        Matcher line = BOUND.matcher(String.join(" ", documentedLine("none")));
        assertTrue(line.find());
        Set<String> ofTheLine = Stream.of(line.group(1).split(",", -1))
                .map(name -> "CAP_" + name.substring(1).toUpperCase(Locale.ROOT))
                .collect(Collectors.toCollection(TreeSet::new));
        List<String> settings = Document.read("docs/deploy/weir-service.service")
                .lines()
                .filter(setting -> setting.matches("(AmbientCapabilities|CapabilityBoundingSet)=.*"))
                .toList();
        assertEquals(2, settings.size());
        for (String setting : settings) {
            assertEquals(
                    ofTheLine,
                    new TreeSet<>(List.of(setting.replaceFirst(".*=", "").split(" ", -1))),
                    setting);
        }
    }

    @Test
    void unitOfSystemd_systemdsOwnCheck_findsNothing() throws Exception {
        Process check = new ProcessBuilder(
                        "systemd-analyze", "verify", Document.root() + "/docs/deploy/weir-service.service")
                .redirectErrorStream(true)
                .start();
        String output = new String(check.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, check.waitFor(), output);
        assertEquals("", output);
    }
}
