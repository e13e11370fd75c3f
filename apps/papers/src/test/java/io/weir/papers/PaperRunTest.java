package io.weir.papers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests {@link PaperRun} and {@link RunResults}. */
class PaperRunTest {
    private static PaperRun<String> run(String name, String... settings) {
        return new PaperRun<>(name, "p/f.yaml", List.of(settings), result -> "");
    }

    @Test
    void command_settings_areQuotedWhereAShellWouldPartThem() {
        assertEquals("./weir sim benchmarks/scenarios/p/f.yaml", run("a").command());
        assertEquals(
                "./weir sim benchmarks/scenarios/p/f.yaml --set seed=2 --set 'traffic[0].count=4' --set 'name='\\''x'\\'''",
                run("a", "seed=2", "traffic[0].count=4", "name='x'").command());
    }

    @Test
    void get_equalName_isWhatWasPut() {
        RunResults results = new RunResults();
        results.put(run("a"), "kept");
        assertEquals("kept", results.get(run("a")));
        assertThrows(IllegalStateException.class, () -> results.get(run("b")));
        assertThrows(IllegalStateException.class, () -> results.put(run("a"), "again"));
    }
}
