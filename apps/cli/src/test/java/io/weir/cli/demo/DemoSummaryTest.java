package io.weir.cli.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the ten lines that a newcomer gets, of measurements that are made up. */
class DemoSummaryTest {
    private static final VirtualFigures VIRTUAL =
            new VirtualFigures(861.4e6, 12_304, 0, 104_300, 104_900, 111_200, 129_800);

    private static String row(List<String> lines, String label) {
        return lines.stream()
                .filter(line -> line.startsWith(label))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no row " + label + " in " + lines));
    }

    private static void assertShort(List<String> lines) {
        assertTrue(lines.size() <= 10, lines.toString());
        lines.forEach(line -> assertEquals("", line.length() <= 110 ? "" : line));
        assertTrue(lines.get(lines.size() - 1).contains("--verbose"), lines.toString());
    }

    @Test
    void of_calm_marksNothingAndSaysNothingOfTheMachine() {
        List<String> lines = DemoSummary.of(Samples.result(Samples.calm("Weir (ExpressPass)"), null));
        assertShort(lines);
        assertFalse(String.join("\n", lines).contains("~"), lines.toString());
        assertFalse(String.join("\n", lines).contains("busy"), lines.toString());
        assertTrue(lines.get(1).contains("SHA-256 0000000000000000 matches"), lines.toString());
        assertTrue(row(lines, "one flow ").endsWith("850 Mbps"), lines.toString());
        assertTrue(row(lines, "data frames lost").endsWith(" 0"), lines.toString());
    }

    @Test
    void of_busy_marksWhatItSpoilsAndHasVirtualTime() {
        DemoResult result = Samples.result(Samples.busy("Weir (ExpressPass)"), Samples.busy("kernel TCP (cubic)"))
                .with(VIRTUAL);
        List<String> lines = DemoSummary.of(result);
        assertShort(lines);
        assertTrue(lines.get(2).startsWith("This machine was busy: ~ marks what 40.0 % of the time"), lines.get(2));
        assertTrue(row(lines, "one flow ").matches(".* ~20 Mbps +~20 Mbps +861.4 Mbps"), lines.toString());
        assertTrue(row(lines, "round trip of 64 B, idle").endsWith("104.3 us / 104.9 us"), lines.toString());
        assertTrue(row(lines, "most data queued").contains(" ~9.5 KB "), lines.toString());
    }

    @Test
    void of_nothingMeasured_hasDashesWithoutMarks() {
        List<String> lines = DemoSummary.of(Samples.result(Samples.nothing("Weir"), null));
        assertShort(lines);
        assertTrue(row(lines, "most data queued").endsWith("  -"), lines.toString());
        assertTrue(row(lines, "round trip of 64 B next").endsWith("- / -"), lines.toString());
    }

    @Test
    void of_endedBefore_hasDashesForWhatFollows() {
        SystemFigures calm = Samples.calm("Weir");
        SystemFigures begun = new SystemFigures("Weir", null, calm.idle(), null, null, null, null, 0, calm.pauses());
        List<String> lines = DemoSummary.of(Samples.result(begun, null));
        assertShort(lines);
        assertTrue(row(lines, "one flow ").endsWith("  -"), lines.toString());
        assertTrue(row(lines, "round trip of 64 B, idle").endsWith("110 us / 300 us"), lines.toString());
        // All of it can be printed, too.
        assertTrue(DemoText.of(Samples.result(begun, null)).contains("Jain's index"), "no table");
    }
}
