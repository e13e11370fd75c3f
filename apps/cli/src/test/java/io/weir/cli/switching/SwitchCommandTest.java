package io.weir.cli.switching;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.weir.cli.testing.CommandRun;
import io.weir.cli.testing.PublishedSchema;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests {@link SwitchCommand} as far as it needs no interfaces. */
class SwitchCommandTest {
    private static final String TWO_HOSTS =
            SwitchFileTest.EXAMPLES.resolve("two-hosts.yaml").toString();

    @TempDir
    private Path folder;

    @Test
    void check_goodFile_printsItWithEveryKey() {
        CommandRun run = CommandRun.execute("switch", "--check", TWO_HOSTS);
        assertEquals(0, run.await(), run.err());
        assertEquals(SwitchFile.read(Path.of(TWO_HOSTS)), SwitchFile.parse("printed", run.out()));
        assertTrue(run.out().contains("catchUp: 50us"), run.out());
    }

    @Test
    void check_json_printsOneDocument() throws IOException {
        CommandRun run = CommandRun.execute("switch", "--check", "--json", TWO_HOSTS);
        assertEquals(0, run.await(), run.err());
        JsonNode document = new ObjectMapper().readTree(run.out());
        PublishedSchema.assertResult(document);
        assertEquals("switch", document.path("command").asText());
        assertEquals(1, document.at("/environment/seed").asInt());
        JsonNode configuration = document.at("/result/configuration");
        assertEquals("375KB", configuration.at("/ports/1/dataQueue").asText());
        assertEquals(
                SwitchFile.read(Path.of(TWO_HOSTS)),
                SwitchFile.parse("printed", configuration.toString()),
                "JSON is YAML, and reads back");
    }

    @Test
    void check_badFile_saysFileLineAndKey() throws IOException {
        Path file = folder.resolve("bad.yaml");
        Files.writeString(file, "ports:\n  - interface: a\n    rat: 1Gbps\n  - {interface: b, rate: 1Gbps}\n");
        CommandRun run = CommandRun.execute("switch", "--check", file.toString());
        assertEquals(2, run.await());
        assertEquals(
                "weir: " + file + ":3:5: ports[0].rat: unknown key; did you mean \"rate\"?\n",
                run.err().replace("\r", ""));
        assertEquals("", run.out());
    }

    @Test
    void call_noFile_isAUsageError() {
        assertEquals(2, CommandRun.execute("switch").await());
        CommandRun absent =
                CommandRun.execute("switch", folder.resolve("absent.yaml").toString());
        assertEquals(2, absent.await());
        assertTrue(absent.err().contains("does not exist"), absent.err());
    }

    @Test
    void call_timesThatMakeNoSense_areRefused() {
        CommandRun interval = CommandRun.execute("switch", "--interval", "1ms", TWO_HOSTS);
        assertEquals(2, interval.await());
        assertTrue(
                interval.err().contains("--interval: 1 ms is below 10 ms; write that or more, or 0 for never"),
                interval.err());
        CommandRun time = CommandRun.execute("switch", "--time", "0", TWO_HOSTS);
        assertEquals(2, time.await());
        assertTrue(time.err().contains("--time: 0s is no time to run"), time.err());
    }

    @Test
    void schema_switch_isPublished() throws IOException {
        CommandRun run = CommandRun.execute("schema", "switch");
        assertEquals(0, run.await(), run.err());
        assertEquals(
                "urn:weir:schema:switch:1",
                new ObjectMapper().readTree(run.out()).path("$id").asText());
    }
}
