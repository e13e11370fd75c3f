package io.weir.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.transport.testing.Document;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Tests that settings with more than three numbers are made by names, in the sources of all modules: only their file
 * and its test call the constructor, in which numbers could change places.
 */
class NamedConstructionTest {
    private static final List<String> NAMED = List.of(
            "ClosShape",
            "ConnectionTimers",
            "CreditConfig",
            "CreditPortConfig",
            "CreditShape",
            "Fault.HostPause",
            "Fault.Impairment",
            "Fault.LinkDown",
            "HostConfig.Peers",
            "Path",
            "Pauses",
            "PlanSettings",
            "StreamLimits",
            "Traffic.Calls",
            "Traffic.Exchange",
            "Traffic.Flows",
            "Traffic.Messages",
            "Traffic.Poisson");

    private static List<String> faults(String name, String source) {
        List<String> faults = new ArrayList<>();
        for (String type : NAMED) {
            String file = type.replaceFirst("\\..*", "");
            if (!name.matches(".*/" + file + "(?:Test)?\\.java")
                    && Pattern.compile("\\bnew (?:io\\.weir\\.[a-z.]*)?" + Pattern.quote(type) + "\\([^)]")
                            .matcher(source)
                            .find()) {
                faults.add(name + " makes a " + type + " by position; use its names");
            }
        }
        return faults;
    }

    @Test
    void settings_areMadeByNames() {
        List<String> faults = new ArrayList<>();
        for (Path file : Document.files(".java")) {
            // One has a private class of that name, the other is this test.
            if (!file.endsWith("CreditLossMeterTest.java") && !file.endsWith("NamedConstructionTest.java")) {
                faults.addAll(faults(Document.root().relativize(file).toString(), Document.read(file)));
            }
        }
        assertEquals(List.of(), faults);
    }

    @Test
    void settings_madeByPosition_areFound() {
        assertEquals(
                1, faults("a/Other.java", "new CreditShape(84, 92, 0, 1538)").size());
        assertEquals(
                1,
                faults("a/Other.java", "new io.weir.transport.wire.Path(1, 2)").size());
        assertEquals(List.of(), faults("a/CreditShape.java", "new CreditShape(84, 92, 0, 1538)"));
    }
}
