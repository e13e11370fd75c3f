package io.weir.papers.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.cli.testing.CommandRun;
import io.weir.cli.testing.Documents;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests {@link PaperCommand}: what it prints, writes and ends with. */
class PaperCommandTest {
    private static final String FIGURE = "expresspass/fig12";

    @TempDir
    private Path folder;

    @Test
    void run_text_saysOfEachClaimHowFarItIs() {
        CommandRun run = CommandRun.execute("paper", FIGURE);
        assertEquals(0, run.await(), run.out() + run.err());
        assertTrue(run.out().contains("  MET      R(2k) comes to C/N with 2 flows\n"), run.out());
        assertTrue(run.out().contains("; must be 0.5000 C, within 1 %: 0."), run.out());
        assertTrue(run.out().contains("met     expresspass/fig12: claims not met, of 15: 0 (must be == 0)"), run.out());
        assertEquals("", run.err());
    }

    @Test
    void run_json_followsTheSchema() {
        CommandRun run = CommandRun.execute("paper", FIGURE, "expresspass/table1", "--json");
        JsonNode result = Documents.valid(run.out()).path("result");
        assertEquals("quick", result.path("scale").asText());
        assertTrue(result.path("complete").asBoolean());
        assertEquals(2, result.path("figures").size());
        assertEquals("MET", result.at("/figures/0/claims/0/verdict").asText());
    }

    @Test
    void run_out_writesPageDocumentTableAndDrawings() throws IOException {
        Path out = folder.resolve("new");
        CommandRun run = CommandRun.execute("paper", FIGURE, "--out", out.toString());
        assertEquals(0, run.await(), run.out() + run.err());
        Documents.valid(Files.readString(out.resolve("paper.json")));
        assertTrue(Files.readString(out.resolve("report.html")).contains("id=\"claim-expresspass/fig12/even-2\""));
        assertTrue(Files.readString(out.resolve("runs.csv")).startsWith("figure,name,file,settings,command,complete,"));
        String drawing = Files.readString(out.resolve("expresspass-fig12-1.svg"));
        assertTrue(drawing.contains("<svg"));
        assertTrue(drawing.contains("<desc>./weir paper --quick " + FIGURE + " --out DIR</desc>"), drawing);
        assertEquals(
                860,
                ImageIO.read(out.resolve("expresspass-fig12-1.png").toFile()).getWidth());
    }

    @Test
    void list_hasEveryFigure() {
        CommandRun run = CommandRun.execute("paper", "--list");
        assertEquals(0, run.await());
        assertEquals(Papers.FIGURES.size(), run.out().lines().count());
        assertTrue(run.out().lines().anyMatch(line -> line.matches("expresspass/table1 +The buffer.*")), run.out());
        Documents.valid(CommandRun.execute("paper", "--list", "--json").out());
    }

    @Test
    void run_badOptions_areRefused() {
        assertRefused("there is no figure or paper \"expresspass/fig99\"", "expresspass/fig99");
        assertRefused("--full: means the opposite of --quick", FIGURE, "--full", "--quick");
        assertRefused("--jobs: 0 is outside 1..1024", FIGURE, "--jobs", "0");
    }

    private static void assertRefused(String message, String... arguments) {
        String[] all = new String[arguments.length + 1];
        all[0] = "paper";
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        CommandRun run = CommandRun.execute(all);
        assertEquals(2, run.await());
        assertTrue(run.err().contains(message), run.err());
    }

    @Test
    void run_interrupted_saysWhatIsMissing() {
        CommandRun run = CommandRun.start("paper", "expresspass/fig10", "--full", "--jobs", "1", "--json");
        assertEquals(1, run.stop());
        JsonNode document = Documents.valid(run.out());
        assertTrue(!document.at("/result/complete").asBoolean());
        assertTrue(document.at("/result/figures/0/failure").asText().startsWith("run \"authors 1\""), run.out());
    }
}
