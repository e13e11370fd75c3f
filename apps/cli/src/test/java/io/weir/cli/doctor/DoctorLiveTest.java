package io.weir.cli.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.cli.WeirCommand;
import io.weir.cli.environment.ExitCode;
import io.weir.cli.testing.Documents;
import io.weir.nic.NicException;
import io.weir.nic.lab.LiveTest;
import io.weir.nic.lab.TwoHosts;
import io.weir.nic.net.NetNamespace;
import io.weir.nic.testing.ChildJvm;
import io.weir.nic.testing.Deadline;
import io.weir.transport.runtime.CpuSet;
import io.weir.transport.socket.Transport;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Breaks one end of a veth pair in every way that a veth can be broken, and has each found by its name. */
@LiveTest
@SuppressWarnings("try") // a program that is only there
class DoctorLiveTest {
    private TwoHosts hosts;
    private Set<FindingKind> before;

    @BeforeEach
    void open() throws Exception {
        hosts = TwoHosts.create();
        before = kinds();
    }

    @AfterEach
    void close() {
        hosts.close();
    }

    private List<Finding> found() throws Exception {
        return hosts.a().call(() -> Checks.run(MachineView.live(TwoHosts.INTERFACE, CpuSet.ANY)));
    }

    /** {@return what is found, but for what depends on what else runs on this machine} */
    private Set<FindingKind> kinds() throws Exception {
        Set<FindingKind> kinds = EnumSet.noneOf(FindingKind.class);
        found().forEach(finding -> kinds.add(finding.kind()));
        kinds.removeAll(EnumSet.of(
                FindingKind.CPU_BUSY,
                FindingKind.CPU_STOLEN,
                FindingKind.MEMORY_SHORT,
                FindingKind.SOFTNET_DROPS,
                FindingKind.NEIGHBOUR_TABLE_FULL));
        return kinds;
    }

    /** {@return what is found now and was not before} */
    private Set<FindingKind> added() throws Exception {
        Set<FindingKind> added = EnumSet.noneOf(FindingKind.class);
        added.addAll(kinds());
        added.removeAll(before);
        return added;
    }

    private static boolean hasTool(String tool) {
        return !ToolOutput.of(tool, "--version").isEmpty();
    }

    @Test
    void run_vethAsTheLaboratoryMakesIt_nothingBreaks() throws Exception {
        assertEquals(
                List.of(),
                found().stream()
                        .filter(finding -> finding.kind().severity() == Severity.BREAKS)
                        .toList());
    }

    private ChildJvm start(NetNamespace namespace, String... words) throws IOException {
        return ChildJvm.start(List.of("ip", "netns", "exec", namespace.name()), WeirCommand.class, words);
    }

    /** {@return all that it prints} */
    private static String allOf(ChildJvm child) throws IOException {
        return child.awaitLine("no line of it has this");
    }

    @Test
    void peer_thatServes_answersEverySizeAndEveryByte() throws Exception {
        try (ChildJvm server = start(hosts.b(), "perf", "-s", "--interface", TwoHosts.INTERFACE)) {
            server.awaitLine("Serving on port");
            try (ChildJvm doctor =
                    start(hosts.a(), "doctor", TwoHosts.INTERFACE, "--peer", TwoHosts.ADDRESS_B, "--json")) {
                JsonNode document = Documents.valid(allOf(doctor));
                JsonNode peer = document.at("/result/peer");
                assertEquals("afxdp", peer.at("/port/backend").asText());
                assertEquals("afxdp", peer.at("/peerPort/backend").asText());
                // 1, 64 to 1,024 and the MTU of 1,500.
                assertEquals(7, peer.get("sizes").size());
                peer.get("sizes")
                        .forEach(size -> assertTrue(size.get("answered").asLong() > 0, size.toString()));
                assertEquals(2, peer.get("rates").size());
                for (JsonNode rate : peer.get("rates")) {
                    assertTrue(rate.get("problem").isNull(), rate.toString());
                    assertTrue(rate.get("goodputBps").asDouble() > 0, rate.toString());
                }
            }
        }
    }

    @Test
    void peer_thatDoesNotServe_isSaidWithWhatToStart() throws Exception {
        try (ChildJvm doctor = start(hosts.a(), "doctor", TwoHosts.INTERFACE, "--peer", TwoHosts.ADDRESS_B)) {
            String said = allOf(doctor);
            assertTrue(said.contains("weir perf -s"), said);
            assertEquals(ExitCode.FAILED, doctor.awaitEnd());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "link set dev weir0 mtu 1400, MTU_BELOW_ETHERNET",
        "link set dev weir0 mtu 552, MTU_SMALL",
        "link set dev weir0 mtu 20000, MTU_LARGE",
        "link set dev weir0 down, LINK_DOWN",
        "address flush dev weir0, ADDRESS_MISSING",
        "neighbour replace 10.77.0.9 dev weir0 nud failed, NEIGHBOUR_FAILED"
    })
    void run_brokenByIp_isFound(String command, FindingKind kind) throws Exception {
        List<String> words = new ArrayList<>(List.of("ip"));
        words.addAll(List.of(command.split(" ", -1)));
        hosts.lab().run(hosts.a(), words.toArray(String[]::new));
        assertTrue(added().contains(kind), added().toString());
    }

    @Test
    void run_otherEndDown_isFound() throws Exception {
        hosts.lab().setUp(hosts.link().right(), false);
        Deadline.await("the missing carrier", () -> isRunning(false));
        assertEquals(Set.of(FindingKind.LINK_NO_CARRIER), added());
    }

    private boolean isRunning(boolean wanted) {
        try {
            return TwoHosts.facts(hosts.a()).running() == wanted;
        } catch (NicException e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @CsvSource({"rx-gro-list", "rx-udp-gro-forwarding"})
    void run_datagramsAreJoined_isFound(String feature) throws Exception {
        assumeTrue(hasTool("ethtool"), "no ethtool here");
        hosts.lab().run(hosts.a(), "ethtool", "-K", TwoHosts.INTERFACE, feature, "on");
        assertEquals(Set.of(FindingKind.OFFLOAD_GRO_UDP), added());
    }

    @Test
    void run_foreignProgram_isFoundWithItsNameAndHolder() throws Exception {
        int index = TwoHosts.facts(hosts.a()).index();
        try (ForeignProgram foreign = hosts.a().call(() -> ForeignProgram.attach(index))) {
            assertEquals(Set.of(FindingKind.XDP_PROGRAM_FOREIGN), added());
            String what = found().get(0).what();
            assertTrue(
                    what.contains(
                            "(passes_all) of process " + ProcessHandle.current().pid()),
                    what);
        }
        assertEquals(Set.of(), added());
    }

    @Test
    void run_programOfATransport_isNoFinding() throws Exception {
        try (Transport transport = hosts.openTransport(hosts.a())) {
            assertTrue(
                    TwoHosts.facts(hosts.a()).xdpProgramId() != 0,
                    transport.portInfo().toString());
            assertEquals(Set.of(), added());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "-A INPUT -p icmp -j DROP, FIREWALL_DROPS_ICMP",
        "-A INPUT -i weir0 -p udp -m conntrack --ctstate ESTABLISHED -j DROP, FIREWALL_DROPS_UDP"
    })
    void run_rulesOfIptables_areFoundAndTheRemedyEndsThem(String rule, FindingKind kind) throws Exception {
        assumeTrue(hasTool("iptables"), "no iptables here");
        List<String> words = new ArrayList<>(List.of("iptables"));
        words.addAll(List.of(rule.split(" ", -1)));
        hosts.lab().run(hosts.a(), words.toArray(String[]::new));
        assertEquals(Set.of(kind), added());
        String remedy = found().stream()
                .filter(finding -> finding.kind() == kind)
                .findFirst()
                .orElseThrow()
                .remedy();
        hosts.lab().run(hosts.a(), "sh", "-c", remedy);
        assertEquals(Set.of(), added());
    }

    /** Sysfs shows a namespace's interfaces to the processes that were started in it. */
    @Test
    void command_inTheNamespace_readsItsSysfs() throws Exception {
        String folder = "/sys/class/net/" + TwoHosts.INTERFACE + "/";
        hosts.lab()
                .run(
                        hosts.a(),
                        "sh",
                        "-c",
                        "echo 2 > " + folder + "napi_defer_hard_irqs; echo 200000 > " + folder + "gro_flush_timeout");
        List<String> launcher = List.of("ip", "netns", "exec", hosts.a().name());
        try (ChildJvm child = ChildJvm.start(launcher, WeirCommand.class, "doctor", TwoHosts.INTERFACE)) {
            String line = child.awaitLine("napi-deferred");
            assertTrue(line.contains("leaves the receive work of weir0 for 200 us"), line);
            assertEquals(ExitCode.DONE, child.awaitEnd());
        }
        hosts.lab().run(hosts.a(), "ip", "link", "add", "br0", "type", "bridge");
        hosts.lab().run(hosts.a(), "ip", "link", "set", TwoHosts.INTERFACE, "master", "br0");
        try (ChildJvm child = ChildJvm.start(launcher, WeirCommand.class, "doctor", TwoHosts.INTERFACE)) {
            String line = child.awaitLine("link-enslaved");
            assertTrue(line.contains("weir0 is a part of br0"), line);
            assertEquals(ExitCode.ENVIRONMENT, child.awaitEnd());
        }
    }
}
