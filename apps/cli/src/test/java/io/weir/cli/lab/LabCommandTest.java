package io.weir.cli.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cli.testing.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests what {@code weir lab} refuses before it touches anything, and who may have kernel TCP. */
class LabCommandTest {
    private static final String FILE = """
            duration: 1s
            topology: {kind: dumbbell, pairs: 1, rate: 100Mbps, delay: 25us}
            traffic:
              - {kind: flows, from: h1, to: h2}
            """;

    @TempDir
    private Path folder;

    private CommandRun run(String command, String text, String... options) throws IOException {
        Path file = Files.writeString(folder.resolve("s.yaml"), text);
        List<String> words = new ArrayList<>(List.of(command));
        words.addAll(List.of(options));
        words.add(file.toString());
        return CommandRun.execute(words.toArray(String[]::new));
    }

    private static void assertRefused(int status, String message, CommandRun run) {
        assertEquals(status, run.await(), run.err());
        assertTrue(run.err().contains(message), run.err());
        assertEquals("", run.out());
    }

    @Test
    void lab_withoutScenario_isRefused() {
        assertRefused(2, "'SCENARIO'", CommandRun.execute("lab"));
    }

    @Test
    void lab_tooFast_isRefusedWithTheRemedy() throws IOException {
        CommandRun run = run("lab", FILE, "--set", "topology.rate=40Gbps");
        assertRefused(3, "--set topology.rate=100Mbps", run);
    }

    @Test
    void lab_check_readsTheFileOnly() throws IOException {
        CommandRun run = run("lab", FILE, "--check", "--set", "topology.rate=40Gbps");
        assertEquals(0, run.await(), run.err());
        assertTrue(run.out().contains("40Gbps"), run.out());
    }

    @Test
    void sim_kernelTcp_isRefused() throws IOException {
        CommandRun run = run("sim", FILE.replace("to: h2}", "to: h2, protocol: tcp-cubic}"));
        assertRefused(2, "traffic 'flows' has protocol tcp-cubic", run);
    }

    @Test
    void lab_congestionControlThatTheKernelLacks_isRefusedWithTheRemedy() throws IOException {
        CommandRun run = run("lab", FILE.replace("to: h2}", "to: h2, protocol: tcp-nosuch}"));
        assertRefused(3, "traffic 'flows': TCP's congestion control nosuch is refused: this kernel has", run);
        assertTrue(run.err().contains("modprobe tcp_nosuch"), run.err());
    }

    @Test
    void lab_kernelTcpForAnExchange_isRefusedWithItsLine() throws IOException {
        CommandRun run = run(
                "lab",
                FILE + "  - {kind: exchange, client: h1, servers: h2, request: 1KB, response: 1KB, protocol: tcp}\n");
        assertRefused(2, "kind: flows", run);
        assertTrue(run.err().contains("s.yaml:5"), run.err());
    }
}
