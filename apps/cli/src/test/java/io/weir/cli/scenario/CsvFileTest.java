package io.weir.cli.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests {@link CsvFile}. */
class CsvFileTest {
    @TempDir
    private Path folder;

    @Test
    void row_cells_areQuotedWhereNeeded() throws IOException {
        Path path = folder.resolve("t.csv");
        try (CsvFile file = new CsvFile(path, "a", "b", "c")) {
            file.row(1, null, 0.5);
            file.row("x,y", "say \"no\"", "two\nlines");
        }
        assertEquals("a,b,c\n1,,0.5\n\"x,y\",\"say \"\"no\"\"\",\"two\nlines\"\n", Files.readString(path));
    }
}
