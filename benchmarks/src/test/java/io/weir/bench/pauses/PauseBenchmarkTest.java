package io.weir.bench.pauses;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.scenario.PauseTrace;
import io.weir.transport.scenario.PauseTraces;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests {@link RecordOptions}, {@link PauseRecorder}, {@link TableOptions} and {@link PauseTable}. */
class PauseBenchmarkTest {
    private static TableOptions table(String... arguments) {
        return TableOptions.parse(List.of(arguments));
    }

    @Test
    void parse_everythingOfARecording_isUnderstood() {
        List<String> arguments =
                List.of("--seconds", "2", "--spans", "9", "--gap", "30", "--nap", "50", "--load", "x", "--out", "f");
        assertEquals(
                new RecordOptions(2_000_000_000L, 9, 30_000, 50_000, 200_000, "x", "f"),
                RecordOptions.parse(arguments));
    }

    @Test
    void parse_nonsense_isRefused() {
        for (List<String> wrong : List.of(
                List.of("--seconds", "0"), List.of("--spans", "many"), List.of("--gap"), List.of("--fast", "1"))) {
            assertThrows(IllegalArgumentException.class, () -> RecordOptions.parse(wrong));
        }
        assertThrows(IllegalArgumentException.class, () -> table("--trace", "nobody"));
        assertThrows(IllegalArgumentException.class, () -> table("--protocols", "nobody"));
        assertThrows(IllegalArgumentException.class, () -> table("--nets", "ring"));
        assertThrows(IllegalArgumentException.class, () -> table("--millis", "0"));
    }

    @Test
    void run_loopThatNaps_recordsATraceThatCanBeRead() {
        RecordOptions options = new RecordOptions(1_000_000_000L, 20, 20_000, 50_000, 200_000, "a test", null);
        PauseRecorder recorder = new PauseRecorder(options);
        recorder.run();
        PauseTrace trace = PauseTraces.parse("t", recorder.toCsv());
        assertEquals(20, trace.spans().size());
        assertTrue(trace.spans().stream().allMatch(span -> span.pausedNanos() >= 20_000));
        assertTrue(trace.description().startsWith("Load: a test; Kernel "), trace.description());
    }

    @Test
    void print_oneProtocol_hasARowForEachCase() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        new PauseTable(table("--protocols", "dctcp", "--nets", "dumbbell-1,link-1g", "--millis", "4"))
                .print(new PrintStream(out, true, StandardCharsets.UTF_8));
        List<String> rows = out.toString(StandardCharsets.UTF_8)
                .lines()
                .filter(line -> line.startsWith("| `dctcp`"))
                .toList();
        assertEquals(7 + 3, rows.size());
        assertTrue(rows.get(0).startsWith("| `dctcp` | none | - | "), rows.get(0));
        assertTrue(rows.get(9).startsWith("| `dctcp` | hosts | default | "), rows.get(9));
    }
}
