package io.weir.cli.perf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.cli.WeirCommand;
import io.weir.cli.environment.ExitCode;
import io.weir.cli.testing.CommandRun;
import io.weir.cli.testing.Documents;
import io.weir.nic.testing.ChildJvm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that a test which is interrupted gives what it has measured, and that status, document and text agree. */
class InterruptedTestTest {
    private static final String REASON = "interrupted";

    private static CommandRun start(String... options) {
        List<String> arguments = new ArrayList<>(
                List.of("perf", "-c", "--backend", "memory", "--link-rate", "1Gbps", "-t", "600", "-i", "100ms"));
        arguments.addAll(List.of(options));
        return CommandRun.start(arguments.toArray(String[]::new));
    }

    @Test
    void interrupt_text_hasTotalsAndThenTheReason() {
        CommandRun run = start();
        run.awaitText(" sec ");
        assertEquals(ExitCode.FAILED, run.stop(), run.out());
        String afterIntervals = run.out().substring(run.out().indexOf("- - - -"));
        assertTrue(afterIntervals.contains("Bitrate"), run.out());
        assertTrue(afterIntervals.contains("expresspass (weir) over memory"), run.out());
        assertTrue(run.err().contains("weir: " + REASON), run.err());
    }

    @Test
    void interrupt_json_isOneDocumentWithIntervalsAndTheStatus(@TempDir Path directory) {
        Path log = directory.resolve("latency.hlog");
        CommandRun run = start("--json", "--rr", "64", "--hlog", log.toString());
        // The first interval is behind the legend.
        run.awaitThat("log an interval", () -> lineCount(log) > 3);
        int status = run.stop();
        JsonNode document = Documents.valid(run.out());
        assertCut(status, document);
        assertTrue(document.at("/result/client/latency/count").asLong() > 0, run.out());
    }

    private static long lineCount(Path file) {
        try {
            return Files.exists(file) ? Files.readAllLines(file).size() : 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void assertCut(int status, JsonNode document) {
        assertEquals(ExitCode.FAILED, status);
        assertEquals(status, document.at("/error/exitCode").asInt(), document.toString());
        assertTrue(document.at("/error/message").asText().contains(REASON), document.toString());
        assertFalse(document.path("ok").asBoolean());
        assertFalse(document.at("/result/intervals").isEmpty(), document.toString());
        assertFalse(document.at("/result/client/streams").isEmpty(), document.toString());
        assertTrue(document.at("/result/server").isNull(), document.toString());
    }

    @Test
    void interrupt_stream_endsWithAnErrorThatHasTheResult() {
        CommandRun run = start("--json-stream");
        run.awaitText("\"event\":\"interval\"");
        int status = run.stop();
        List<JsonNode> lines = run.out().lines().map(Documents::valid).toList();
        JsonNode last = lines.get(lines.size() - 1);
        assertEquals("error", last.path("event").asText());
        assertCut(status, last.path("data"));
    }

    @Test
    void interrupt_requests_writesTheHistogramsOfThoseAnswered(@TempDir Path directory) throws IOException {
        Path percentiles = directory.resolve("latency.hgrm");
        CommandRun run = start("--rr", "64", "--histogram", percentiles.toString());
        run.awaitText(" responses, p50 ");
        assertEquals(ExitCode.FAILED, run.stop());
        assertTrue(Files.readString(percentiles).contains("#[Mean"), "no .hgrm file");
        assertTrue(run.out().contains("p99.99"), run.out());
    }

    /** With SIGINT ignored, as a script's background job has it, and with it as a terminal's has it. */
    @ParameterizedTest
    @CsvSource({"INT, trap '' INT", "INT, trap - INT", "TERM, trap - INT", "HUP, trap - INT"})
    void signal_process_endsWithTheStatusOfItsDocument(String signal, String disposition) throws Exception {
        List<String> shell = List.of("sh", "-c", disposition + "; exec \"$@\"", "sh");
        try (ChildJvm child = ChildJvm.start(
                shell,
                WeirCommand.class,
                "perf",
                "--backend",
                "memory",
                "--link-rate",
                "1Gbps",
                "-t",
                "600",
                "-i",
                "100ms",
                "--json-stream")) {
            assertTrue(child.awaitLine("\"event\":\"interval\"").startsWith("{"));
            new ProcessBuilder("kill", "-" + signal, Long.toString(child.processId()))
                    .inheritIO()
                    .start()
                    .waitFor();
            String line = child.awaitLine("\"event\":\"error\"");
            JsonNode document = Documents.valid(line).path("data");
            assertCut(child.awaitEnd(), document);
        }
    }
}
