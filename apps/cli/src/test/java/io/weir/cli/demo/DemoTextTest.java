package io.weir.cli.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Tests what people are told, of measurements that are made up. */
class DemoTextTest {
    private static final String WARNING = "!!! LOOPS WERE OFF THEIR CORES";

    private static String text(SystemFigures weir, SystemFigures tcp) {
        return DemoText.of(Samples.result(weir, tcp));
    }

    private static String row(String text, String label) {
        return text.lines()
                .filter(line -> line.startsWith("  " + label))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no row " + label + " in " + text));
    }

    @Test
    void of_calm_saysThatLoopsKeptTheirCores() {
        String text = text(Samples.calm("Weir"), null);
        assertFalse(text.contains(WARNING), text);
        assertTrue(text.contains("Loops kept their cores well enough"), text);
        assertTrue(text.contains("With a * in Weir: none."), text);
        assertTrue(row(text, "goodput").endsWith("850 Mbps"), text);
        assertTrue(row(text, "round trips to its share").endsWith("1.8"), text);
    }

    @Test
    void of_busy_saysSoBeforeTheTable() {
        String text = text(Samples.busy("Weir"), null);
        assertTrue(text.contains(WARNING + " for 40.0 % of the time"), text);
        assertTrue(text.indexOf(WARNING) < text.indexOf("One flow alone"), text);
        assertTrue(text.contains("With a * in Weir: all."), text);
        assertTrue(row(text, "left host (client)").contains("40.0 %     400  1 ms"), text);
        assertTrue(row(text, "goodput").endsWith("20 Mbps *"), text);
        assertTrue(row(text, "round trips to its share").endsWith("- *"), text);
    }

    @Test
    void of_onlyKernelTcpWasSpoilt_marksItsFigures() {
        String text = text(Samples.calm("Weir"), Samples.busy("TCP"));
        assertFalse(text.contains(WARNING), text);
        assertTrue(row(text, "goodput").matches(".*850 Mbps  .*20 Mbps \\*"), text);
    }

    @Test
    void of_nothingMeasured_printsADashForIt() {
        String text = text(Samples.nothing("Weir"), null);
        for (String label : new String[] {"data queue", "p50", "p99", "p99.9", "Jain's index", "round trips to"}) {
            assertTrue(row(text, label).endsWith(" - *"), text);
        }
        assertFalse(text.contains("0 B / 0 B"), text);
        assertFalse(text.contains("0 ns"), text);
    }

    @Test
    void of_anything_hasLinesThatFitATerminal() {
        text(Samples.busy("Weir (ExpressPass)"), Samples.nothing("kernel TCP (bbr)"))
                .lines()
                .forEach(line -> assertEquals("", line.length() <= 120 ? "" : line));
    }
}
