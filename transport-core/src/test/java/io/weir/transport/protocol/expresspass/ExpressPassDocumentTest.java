package io.weir.transport.protocol.expresspass;

import io.weir.transport.testing.Document;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Tests that docs/protocols/expresspass.md shows the figures of the presets as the golden table has them. */
class ExpressPassDocumentTest {
    private static final String NAME = "docs/protocols/expresspass.md";
    private static final String PRESETS = "transport-core/src/test/resources/ExpressPassPresets.txt";

    private static final List<String> SCENARIO_COLUMNS = List.of(
            "flows", "preset", "utilisation", "Jain, 10 ms", "Jain, 2 ms", "round trips", "queue, B", "credit loss");

    private static String row(List<String> cells) {
        return "| " + String.join(" | ", cells) + " |\n";
    }

    private static String header(List<String> cells) {
        return row(cells) + "|" + "---|".repeat(cells.size()) + "\n";
    }

    @Test
    void scenarios_printed_areTheGoldenTable() {
        String rows = Document.read(PRESETS)
                .lines()
                .filter(line -> line.contains(" RANDOM ") && !line.contains("alg1-current"))
                .map(line -> row(
                        List.of(line.replace("RANDOM", "").strip().split(" +")).subList(0, SCENARIO_COLUMNS.size())))
                .collect(Collectors.joining());
        Document.requireBlock(NAME, "scenarios RANDOM", header(SCENARIO_COLUMNS) + rows);
    }
}
