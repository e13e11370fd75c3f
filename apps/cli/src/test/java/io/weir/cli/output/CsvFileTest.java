package io.weir.cli.output;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.transport.scenario.result.FlowResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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

    @Test
    void write_records_haveAColumnForEachComponentAlsoOfRecordsWithin() throws IOException {
        Path path = folder.resolve("flows.csv");
        FlowResult.Credits credits = new FlowResult.Credits(9, 8, 7, 1, 0, 1);
        CsvFile.write(
                path,
                FlowResult.class,
                List.of(
                        new FlowResult("a-1", "h1", "h2", "p", 10, 20, 30L, 1.5, 0, credits),
                        new FlowResult("a-2", "h2", "h1", "p", 0, 20, null, 0, 0, null)));
        assertEquals(
                "id,source,destination,protocol,bytes,startNanos,completionNanos,goodputBps,retransmittedBytes,"
                        + "creditsSent,creditsReceived,creditsUsed,creditsWasted,creditsExpired,creditsLost\n"
                        + "a-1,h1,h2,p,10,20,30,1.5,0,9,8,7,1,0,1\n"
                        + "a-2,h2,h1,p,0,20,,0.0,0,,,,,,\n",
                Files.readString(path));
    }
}
