package io.weir.cli.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.cli.environment.ExitCode;
import io.weir.cli.testing.CommandRun;
import io.weir.cli.testing.Documents;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests what {@code weir doctor} prints and returns. */
class DoctorCommandTest {
    @TempDir
    private Path root;

    private DoctorResult result(Consumer<FakeMachine> change) {
        FakeMachine machine = new FakeMachine(root);
        change.accept(machine);
        return DoctorResult.of("eth0", Checks.run(machine.view()));
    }

    @Test
    void json_thisMachine_isAValidDocumentWhoseStatusFollowsFromTheFindings() {
        CommandRun run = CommandRun.execute("doctor", "--json");
        JsonNode document = Documents.valid(run.out());
        assertEquals("doctor", document.path("command").asText());
        assertTrue(document.at("/result/interfaceName").isNull());
        boolean breaks = false;
        for (JsonNode finding : document.at("/result/findings")) {
            breaks |= finding.path("severity").asText().equals("breaks");
        }
        assertEquals(!breaks, document.path("ok").asBoolean());
        assertEquals(breaks ? ExitCode.ENVIRONMENT : ExitCode.DONE, run.await());
    }

    @Test
    void execute_loopback_breaks() {
        CommandRun run = CommandRun.execute("doctor", "lo", "--json");
        assertEquals(ExitCode.ENVIRONMENT, run.await());
        JsonNode document = Documents.valid(run.out());
        assertFalse(document.path("ok").asBoolean());
        assertEquals("breaks", document.at("/result/findings/0/severity").asText());
        assertTrue(run.out().contains("link-not-ethernet"), run.out());
    }

    @Test
    void execute_noSuchInterface_isSaid() {
        CommandRun run = CommandRun.execute("doctor", "weir-none");
        assertEquals(ExitCode.ENVIRONMENT, run.await());
        assertTrue(run.err().contains("interface weir-none not found"), run.err());
    }

    @Test
    void execute_wrongOptions_areRefused() {
        assertEquals(
                ExitCode.USAGE, CommandRun.execute("doctor", "--fix", "--json").await());
        assertEquals(
                ExitCode.USAGE, CommandRun.execute("doctor", "--cpu", "two").await());
    }

    @Test
    void peer_withoutInterfaceOrAddress_isRefused() {
        assertEquals(
                ExitCode.USAGE,
                CommandRun.execute("doctor", "--peer", "10.0.0.2").await());
        assertEquals(
                ExitCode.USAGE,
                CommandRun.execute("doctor", "lo", "--fix", "--peer", "10.0.0.2")
                        .await());
        CommandRun run = CommandRun.execute("doctor", "lo", "--peer", "10.0.0.2:many");
        assertEquals(ExitCode.USAGE, run.await());
        assertTrue(run.err().contains("10.0.0.2:many is no HOST or HOST:PORT"), run.err());
    }

    @ParameterizedTest
    @CsvSource({
        "10.0.0.2, 10.0.0.2, 5201",
        "10.0.0.2:99, 10.0.0.2, 99",
        "fd00::2, fd00:0:0:0:0:0:0:2, 5201",
        "[fd00::2], fd00:0:0:0:0:0:0:2, 5201",
        "[fd00::2]:99, fd00:0:0:0:0:0:0:2, 99"
    })
    void peer_address_mayHaveAPort(String text, String address, int port) {
        InetSocketAddress parsed = DoctorCommand.address(text);
        assertEquals(address, parsed.getAddress().getHostAddress());
        assertEquals(port, parsed.getPort());
    }

    @Test
    void list_everyKind_hasALineThatNoOtherHas() {
        CommandRun run = CommandRun.execute("doctor", "--list");
        assertEquals(ExitCode.DONE, run.await());
        List<String> lines = run.out().lines().toList();
        assertEquals(FindingKind.values().length, lines.stream().distinct().count());
        assertTrue(lines.contains("breaks  link-down: no frame leaves or comes"), run.out());
    }

    @Test
    void report_findings_haveTheirCostAndRemedy() {
        List<String> lines = DoctorText.report(result(machine -> machine.isUp = false));
        assertEquals(
                List.of(
                        "breaks  link-down: eth0 is set down",
                        "        costs:  no frame leaves or comes",
                        "        remedy: ip link set eth0 up",
                        "the machine and eth0: 1 break, 0 slow, 0 for advice"),
                lines);
        assertEquals(List.of("nothing was found: the machine and eth0"), DoctorText.report(result(machine -> {})));
    }

    @Test
    void script_everyFinding_isShellThatRunsNothingButRemedies() throws Exception {
        DoctorResult all = result(machine -> {
            Misconfigurations.all().values().forEach(change -> change.accept(machine));
            machine.notEthernet = "";
            machine.name = "a\nb;$(reboot)'";
        });
        List<String> script = DoctorText.script(all);
        assertTrue(script.size() > 100, script.toString());
        Process check = new ProcessBuilder("sh", "-n").redirectErrorStream(true).start();
        try (var input = check.getOutputStream()) {
            input.write(String.join("\n", script).getBytes(StandardCharsets.UTF_8));
        }
        assertEquals("", new String(check.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
        assertEquals(0, check.waitFor());
        List<String> remedies = all.findings().stream()
                .map(item -> ShellText.line(item.remedy()))
                .toList();
        script.stream()
                .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                .forEach(line -> assertTrue(remedies.contains(line), line));
    }
}
