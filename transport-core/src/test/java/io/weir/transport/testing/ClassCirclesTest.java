package io.weir.transport.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The canary of the rule on circles: three classes that know each other, and others that are no part of it. */
class ClassCirclesTest {
    private static final Set<String> CIRCLE = Set.of("First", "Second", "Third");

    @TempDir
    private Path sources;

    @BeforeEach
    void writeSources() throws IOException {
        write("First", "class First { Second next; }");
        write("Second", "class Second { int bytes = Third.BYTES; }");
        write("Third", "class Third { static final int BYTES = 1; First first; }");
        write("User", "class User { First first; }");
        write("Spoken", "/* First */ class Spoken { User user; String name = \"First \\\" Second\"; } // Third");
        write("Used", "class Used { }");
    }

    private void write(String name, String text) throws IOException {
        Files.writeString(Files.createDirectories(sources.resolve("some/where")).resolve(name + ".java"), text + "\n");
    }

    @Test
    void of_threeClassesThatKnowEachOther_isOneCircleWithoutTheirUsers() {
        assertEquals(Map.of("some.where", List.of(CIRCLE)), ClassCircles.of(sources));
    }

    @Test
    void of_otherPackageWithTheSameNames_isNoPartOfIt() throws IOException {
        Files.writeString(Files.createDirectories(sources.resolve("other")).resolve("First.java"), "class First { }\n");
        assertEquals(Map.of("other", List.of(), "some.where", List.of(CIRCLE)), ClassCircles.of(sources));
    }

    @Test
    void requireNoneLarger_circleOfThree_failsForALimitOfTwoAlone() {
        Map<String, List<Set<String>>> found = ClassCircles.of(sources);
        ClassCircles.requireNoneLarger(found, 3, Map.of());
        AssertionError error =
                assertThrows(AssertionError.class, () -> ClassCircles.requireNoneLarger(found, 2, Map.of()));
        assertTrue(error.getMessage().contains("3 classes of some.where form a circle (limit 2)"), error::getMessage);
    }

    @Test
    void requireNoneLarger_knownCircleThatHasGrown_fails() {
        Map<String, List<Set<String>>> found = ClassCircles.of(sources);
        ClassCircles.requireNoneLarger(found, 2, Map.of("some.where", 3));
        assertThrows(AssertionError.class, () -> ClassCircles.requireNoneLarger(found, 3, Map.of("some.where", 2)));
    }
}
