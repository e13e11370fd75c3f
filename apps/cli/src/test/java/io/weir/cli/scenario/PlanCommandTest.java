package io.weir.cli.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.cli.testing.CommandRun;
import io.weir.cli.testing.Documents;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests {@link PlanCommand}: what it prints, writes and ends with. */
class PlanCommandTest {
    private static final String STAR =
            "topology: {kind: star, hosts: 3, rate: 10Gbps, delay: 1us, credits: {model: paper, largest: 84B}}";

    @TempDir
    private Path folder;

    private String topology(String text) throws IOException {
        Path file = folder.resolve("t.yaml");
        Files.writeString(file, text + "\n");
        return file.toString();
    }

    @Test
    void plan_topologyAlone_printsBoundsAndConfiguration() throws IOException {
        CommandRun run = CommandRun.execute("plan", topology(STAR), "--host-delay-spread", "5.1us");
        assertEquals(0, run.await(), run.err());
        assertTrue(run.out().contains("switch > h1      3  10 Gbps  12.98 KB  6.045 KB    0 B    19.02 KB"), run.out());
        assertTrue(run.out().contains("# switch > h1, and 2 more\n  - interface: h1\n    rate: 10Gbps\n"), run.out());
    }

    @Test
    void plan_json_followsTheSchema() throws IOException {
        CommandRun run =
                CommandRun.execute("plan", topology(STAR), "--credits", "4", "--host-delay-spread", "1us", "--json");
        JsonNode ports = Documents.valid(run.out()).at("/result/ports");
        assertEquals(3, ports.size());
        assertEquals(336, ports.at("/0/creditQueueBytes").asInt());
        assertEquals(1_000, ports.at("/0/spreadNanos/hosts").asInt());
    }

    @Test
    void plan_scenarioFile_takesItsNetwork() {
        String example = Path.of("..", "..", "docs", "examples", "scenarios", "any-network.yaml")
                .toString();
        CommandRun run = CommandRun.execute("plan", example);
        assertEquals(0, run.await(), run.err());
        assertTrue(run.out().contains("left > web1 "), run.out());
    }

    @Test
    void plan_out_writesFilesThatTheSwitchReads() throws IOException {
        Path out = folder.resolve("switches");
        CommandRun run = CommandRun.execute("plan", topology(STAR), "--out", out.toString());
        assertEquals(0, run.await(), run.err());
        CommandRun check = CommandRun.execute(
                "switch", "--check", out.resolve("switch.yaml").toString());
        assertEquals(0, check.await(), check.err());
        assertTrue(check.out().contains("interface: h3"), check.out());
    }

    @Test
    void plan_circle_fallsShortAndSaysWhere() throws IOException {
        StringBuilder network = new StringBuilder("network:\n  defaults: {rate: 10Gbps, delay: 1us}\n");
        network.append("  hosts: [h1..h5]\n  switches: [s1..s5]\n  links:\n");
        for (int i = 1; i <= 5; i++) {
            network.append("    - between: [h")
                    .append(i)
                    .append(", s")
                    .append(i)
                    .append("]\n");
            network.append("    - between: [s")
                    .append(i)
                    .append(", s")
                    .append(i % 5 + 1)
                    .append("]\n");
        }
        CommandRun run = CommandRun.execute("plan", topology(network.toString()));
        assertEquals(1, run.await(), run.err());
        assertTrue(run.out().contains("no bound"), run.out());
        assertFalse(run.out().contains("dataQueue:"), run.out());
    }

    @Test
    void plan_badInput_isRefusedWithItsPlace() throws IOException {
        CommandRun unknown = CommandRun.execute("plan", topology("topologie: {kind: star}"));
        assertEquals(2, unknown.await());
        assertTrue(
                unknown.err().contains("t.yaml:1:1: topologie: unknown key; did you mean \"topology\"?"),
                unknown.err());
        CommandRun few = CommandRun.execute("plan", topology(STAR), "--credits", "0");
        assertEquals(2, few.await());
        assertTrue(few.err().contains("--credits: 0 is too few"), few.err());
        CommandRun off = CommandRun.execute("plan", topology(STAR), "--set", "topology.credits={model: off}");
        assertEquals(2, off.await());
        assertTrue(off.err().contains("has no credit meter"), off.err());
    }
}
