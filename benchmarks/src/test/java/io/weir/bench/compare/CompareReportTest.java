package io.weir.bench.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.weir.bench.compare.end.Task;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests {@link CompareSections}, {@link CompareMarkdown}, {@link ComparePage}, {@link CompareCharts} and {@link
 * CompareDocument} with figures made up for it. Golden files change only with what they show.
 */
class CompareReportTest {
    private static final String INTRODUCTION = "    compare --made-up\n\nA machine & its <kernel>.";

    @Test
    void text_madeUpFigures_isTheGoldenMarkdown() throws IOException {
        CompareFindings few = findings("--workloads bulk,many --connections 1 --spinners 0");
        assertGolden("compare.md", CompareMarkdown.text(INTRODUCTION, new CompareSections(few).all()));
    }

    @Test
    void html_madeUpFigures_isTheGoldenPage() throws IOException {
        assertGolden("compare.html", ComparePage.html(INTRODUCTION, sections()));
    }

    @Test
    void html_anything_loadsAndRunsNothing() {
        String page = ComparePage.html(INTRODUCTION, sections());
        for (String loading : List.of("<script", "<link", "<img", "src=", "@import", "url(", "href=")) {
            assertFalse(page.contains(loading), loading);
        }
        assertTrue(page.contains("A machine &amp; its &lt;kernel&gt;."));
    }

    @Test
    void json_madeUpFigures_hasRunsRatiosAndFailures() throws IOException {
        JsonNode document = new ObjectMapper().readTree(new CompareDocument(findings(), List.of("--made-up")).json());
        assertEquals("weir-compare/1", document.get("schema").textValue());
        assertEquals("--made-up", document.get("arguments").get(0).textValue());
        assertTrue(document.get("environment").get("coreCount").intValue() > 0);
        JsonNode row = document.get("rows").get(0);
        assertEquals("GOODPUT", row.get("measure").textValue());
        assertEquals(2, row.get("value").get("count").intValue());
        assertEquals(0.5, row.get("ratios").get("tcp-xdp").get("median").doubleValue());
        assertEquals(
                0.5, document.get("holds").get(0).get("share").get("median").doubleValue());
        assertEquals(
                Set.of("not run: UDP has no connections", "failed: client: it | rains"),
                Set.copyOf(document.get("gaps").findValuesAsText("reason")));
        for (JsonNode run : document.get("runs")) {
            assertEquals(run.get("failure").isNull(), !run.get("values").isEmpty());
        }
    }

    @Test
    void introduction_severalRounds_namesCommandMachineAndNoise() {
        String introduction = new CompareDocument(findings(), List.of("--made-up", "yes")).introduction();
        assertTrue(introduction.startsWith("    java -jar benchmarks/target/weir-benchmarks-"), introduction);
        assertTrue(introduction.contains(".jar compare --made-up yes\n"), introduction);
        assertTrue(introduction.contains("Medians of 2 rounds"), introduction);
        assertTrue(introduction.contains("everything else on the machine used 7.00 % of a core"), introduction);
    }

    @Test
    void putInto_pageWithMarks_replacesWhatIsBetween(@TempDir Path folder) throws IOException {
        Path page = folder.resolve("page.md");
        Files.writeString(page, "before\n" + CompareMarkdown.BEGIN + "\nold\n" + CompareMarkdown.END + "\nafter\n");
        CompareMarkdown.putInto(page, "new\n\n");
        assertEquals(
                "before\n" + CompareMarkdown.BEGIN + "\nnew\n" + CompareMarkdown.END + "\nafter\n",
                Files.readString(page));
    }

    @Test
    void putInto_pageWithoutMarks_isRefusedAndKept(@TempDir Path folder) throws IOException {
        Path page = folder.resolve("page.md");
        Files.writeString(page, "nothing\n");
        assertThrows(IOException.class, () -> CompareMarkdown.putInto(page, "new"));
        assertEquals("nothing\n", Files.readString(page));
    }

    @Test
    void benchmarksPage_inTheRepository_hasThePlace() throws IOException {
        String page = Files.readString(Path.of("..", "docs", "BENCHMARKS.md"));
        assertTrue(page.indexOf(CompareMarkdown.BEGIN) > 0);
        assertTrue(page.indexOf(CompareMarkdown.END) > page.indexOf(CompareMarkdown.BEGIN));
    }

    private static List<CompareSection> sections() {
        return new CompareSections(findings()).all();
    }

    private static CompareFindings findings() {
        return findings("--workloads bulk,rr,many,idle --connections 1,1001 --spinners 0,1");
    }

    private static CompareFindings findings(String choice) {
        CompareOptions options = CompareOptions.parse(
                ("--subjects weir-expresspass,tcp-xdp,udp --sizes 64 --pairs 2 " + choice).split(" ", -1));
        Map<CompareTurn, TurnOutcome> outcomes = new LinkedHashMap<>();
        for (CompareTurn turn : TurnOrder.of(options)) {
            outcomes.put(turn, outcome(turn));
        }
        return new CompareFindings(options, outcomes);
    }

    /**
     * Round 1 has twice of what round 0 has, a spinning thread halves goodput, and Weir has half of what the kernel
     * has.
     */
    private static TurnOutcome outcome(CompareTurn turn) {
        Rival rival = turn.rival();
        Task task = turn.job().task();
        if (rival.obstacle(task).isPresent()) {
            return TurnOutcome.notRun(rival.obstacle(task).get());
        }
        if (rival.name().equals("udp") && turn.round() == 1) {
            return TurnOutcome.failed("client: it | rains");
        }
        double factor = (turn.round() + 1.0) / (turn.spinners() + 1) * (rival.isWeir() ? 0.5 : 1);
        Map<Measure, Double> values = new LinkedHashMap<>();
        values.put(Measure.OTHERS, 7.0);
        switch (task) {
            case BULK -> {
                values.put(Measure.GOODPUT, 4e9 * factor);
                values.put(Measure.FIRST_SECOND, 1e9 * factor);
                values.put(Measure.FIRST_TO_STEADY, 0.25);
                values.put(Measure.OPENING, 3e8);
                values.put(Measure.CPU_PER_GB, 2 / factor);
            }
            case ROUND_TRIPS -> {
                values.put(Measure.P50, 20e3 / factor);
                values.put(Measure.P99, 90e3 / factor);
                values.put(Measure.P999, 1e6 / factor);
                values.put(Measure.P9999, 1e7 / factor);
            }
            case MANY -> {
                values.put(Measure.OPENS, 10_000 * factor);
                values.put(Measure.CPU_PER_GB, 2 / factor);
                values.put(Measure.RESIDENT, 1e8 + 2_000.0 * turn.job().connections());
            }
            default -> values.put(Measure.CPU, 0.0);
        }
        List<Double> ramp = task == Task.BULK ? List.of(1e9 * factor, 3e9 * factor, 4e9 * factor) : List.of();
        return TurnOutcome.of(values, ramp);
    }

    private static void assertGolden(String name, String actual) throws IOException {
        try (InputStream golden = CompareReportTest.class.getResourceAsStream(name)) {
            String expected = golden == null ? "" : new String(golden.readAllBytes(), StandardCharsets.UTF_8);
            if (!expected.equals(actual)) {
                Path found = Path.of("target", "golden", name);
                Files.createDirectories(found.getParent());
                Files.writeString(found, actual);
                assertEquals(expected, actual, "what is printed now is in benchmarks/" + found);
            }
        }
    }
}
