package io.weir.cli.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cli.testing.CommandRun;
import io.weir.transport.scenario.SizeDistribution;
import io.weir.transport.scenario.workload.SizeDistributions;
import io.weir.transport.testing.Document;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Tests that docs/SCENARIOS.md and the catalogue's README say what the program does. */
class ScenarioDocumentTest {
    private static final String PAGE = "docs/SCENARIOS.md";
    private static final String CATALOGUE = "benchmarks/scenarios/README.md";
    private static final Pattern EXAMPLE = Pattern.compile("<!-- begin (\\S+\\.yaml) -->");

    @Test
    void page_examples_areTheFiles() {
        int count = 0;
        Matcher matcher = EXAMPLE.matcher(Document.read(PAGE));
        while (matcher.find()) {
            String text = Document.read("docs/examples/scenarios/" + matcher.group(1));
            Document.requireBlock(PAGE, matcher.group(1), indented(text));
            count++;
        }
        assertTrue(count >= 1, "examples: " + count);
    }

    private static String indented(String text) {
        StringBuilder block = new StringBuilder("\n");
        text.lines().forEach(line -> block.append(line.isEmpty() ? "" : "    " + line)
                .append('\n'));
        return block.append('\n').toString();
    }

    @Test
    void page_distributions_areThoseThatComeWithWeir() throws IOException {
        StringBuilder table = new StringBuilder("| name | mean | up to 10 KB |\n|---|---|---|\n");
        for (String name : SizeDistributions.names()) {
            try (InputStream resource =
                    SizeDistributions.class.getResourceAsStream(SizeDistributions.resourceOf(name))) {
                String text = new String(resource.readAllBytes(), StandardCharsets.UTF_8);
                SizeDistribution sizes = SizeDistributions.parse(name, text);
                assertTrue(text.startsWith("# source: "), name + " names no source");
                table.append(String.format(
                        Locale.ROOT,
                        "| `%s` | %.1f KB | %.0f %% |%n",
                        name,
                        sizes.meanBytes() / 1000,
                        100 * fractionUpTo(sizes, 10_000)));
            }
        }
        Document.requireBlock(PAGE, "distributions", table.toString());
    }

    private static double fractionUpTo(SizeDistribution sizes, double bytes) {
        double low = 0;
        double high = 1;
        for (int i = 0; i < 40; i++) {
            double middle = (low + high) / 2;
            low = sizes.bytesAt(middle) <= bytes ? middle : low;
            high = sizes.bytesAt(middle) <= bytes ? high : middle;
        }
        return low;
    }

    @Test
    void page_run_printsWhatItSays() {
        CommandRun run = CommandRun.execute(
                "sim", Scenarios.EXAMPLES.resolve("dumbbell.yaml").toString(), "--set", "topology.pairs=2");
        assertEquals(0, run.await(), run.out() + run.err());
        String timeless = run.out().replace("\r", "").replaceFirst(" in [0-9.]+ m?s;", ";");
        Document.requireBlock(PAGE, "sim", indented(timeless));
    }

    @Test
    void catalogue_list_isOfItsFiles() {
        Map<String, List<String>> links = new TreeMap<>();
        for (Path file : catalogue()) {
            String name = Scenarios.CATALOGUE.relativize(file).toString();
            String title = file.getFileName().toString().replace(".yaml", "");
            links.computeIfAbsent(name.substring(0, name.indexOf('/')), folder -> new ArrayList<>())
                    .add("[" + title + "](" + name + ")");
        }
        StringBuilder table = new StringBuilder("| folder | files |\n|---|---|\n");
        links.forEach((folder, files) -> table.append("| ")
                .append(folder)
                .append(" | ")
                .append(String.join(", ", files))
                .append(" |\n"));
        Document.requireBlock(CATALOGUE, "files", table.toString());
    }

    @Test
    void catalogue_eachFile_namesItsSourceAndDeviations() {
        List<Path> silent = catalogue().stream()
                .filter(file -> !Document.read(file).startsWith("# No paper: "))
                .filter(file -> {
                    String text = Document.read(file);
                    boolean isSourced = text.lines()
                            .findFirst()
                            .orElseThrow()
                            .matches("# (.*Figure.*section.*|XP-A.*|[Ss]ection .*|[A-Za-z ]+ \\(.*(\\d{4}|RFC).*)");
                    return !isSourced || !text.contains("# Deviations: ");
                })
                .toList();
        assertEquals(List.of(), silent);
    }

    private static List<Path> catalogue() {
        return Scenarios.all().stream()
                .filter(file -> file.startsWith(Scenarios.CATALOGUE))
                .toList();
    }
}
