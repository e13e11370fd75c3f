package io.weir.transport.telemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.protocol.ProtocolId;
import io.weir.transport.protocol.catalogue.Catalogue;
import io.weir.transport.testing.Document;
import io.weir.transport.wire.FrameType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Tests that docs/WIRE.md leaves out no reason to drop a frame and no frame type. */
class WireDocumentTest {
    private static final Pattern DROP_ROW =
            Pattern.compile("(?m)^\\| (DROP_[A-Z_]+) \\| (host|switch|host, switch) \\| .+ \\|$");
    private static final Pattern TYPE_ROW = Pattern.compile("(?m)^\\| (\\d) \\| ([A-Z]+) \\| ");

    private static String document() throws IOException {
        return Files.readString(Path.of("..", "docs", "WIRE.md"));
    }

    @Test
    void dropTable_rows_areTheCountersInTheirOrder() throws IOException {
        List<String> rows =
                DROP_ROW.matcher(document()).results().map(row -> row.group(1)).toList();
        List<String> counters = Arrays.stream(CounterId.values())
                .filter(CounterId::isDrop)
                .map(Enum::name)
                .toList();
        assertEquals(counters, rows);
    }

    @Test
    void typeTable_rows_areTheTypesWithTheirCodes() throws IOException {
        Matcher rows = TYPE_ROW.matcher(document());
        for (FrameType type : FrameType.values()) {
            assertTrue(rows.find(), "no row for " + type);
            assertEquals(type.name(), rows.group(2));
            assertEquals(type.code(), Integer.parseInt(rows.group(1)));
        }
    }

    @Test
    void protocolTable_rows_areTheCatalogueWithItsCodes() {
        StringBuilder rows = new StringBuilder("| code | name | from |\n|---|---|---|\n");
        Catalogue.KINDS.forEach(kind -> rows.append(row(kind.id(), kind.source())));
        Document.requireBlock("docs/WIRE.md", "protocols", rows.toString());
    }

    private static String row(ProtocolId id, String source) {
        return "| " + id.code() + " | " + id.name() + " | " + source + " |\n";
    }
}
