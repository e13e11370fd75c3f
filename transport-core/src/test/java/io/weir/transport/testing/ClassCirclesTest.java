package io.weir.transport.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ClassCirclesTest {
    private static final String PACKAGE = "io.weir.transport.testing.circle";
    private static final JavaClasses CANARY = new ClassFileImporter().importPackages(PACKAGE);

    @Test
    void of_threeClassesThatKnowEachOther_isOneCircleWithoutTheirUser() {
        Set<String> circle = Set.of("First", "Second", "Third");
        assertEquals(Map.of(PACKAGE, List.of(circle)), ClassCircles.of(CANARY));
    }

    @Test
    void noneLargerThan_circleOfThree_isBrokenByALimitOfTwoAlone() {
        ClassCircles.noneLargerThan(3).check(CANARY);
        AssertionError error = assertThrows(
                AssertionError.class, () -> ClassCircles.noneLargerThan(2).check(CANARY));
        assertTrue(
                error.getMessage().contains("3 classes of " + PACKAGE + " form a circle (limit 2)"), error::getMessage);
    }

    @Test
    void noneLarger_circleThatHasGrown_isBroken() {
        ClassCircles.noneLarger(Map.of(PACKAGE, 3)).check(CANARY);
        assertThrows(AssertionError.class, () -> ClassCircles.noneLarger(Map.of(PACKAGE, 2))
                .check(CANARY));
    }
}
