package io.weir.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import io.weir.transport.testing.ClassCircles;
import io.weir.transport.testing.PackageLayers;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The layers of this module: commands know each other through scenarios and the laboratory; the root knows all. */
class LayersTest {
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.weir.cli");
    private static final JavaClasses CANARY = new ClassFileImporter().importPackages("io.weir.cli.output.canary");

    private static final PackageLayers LAYERS = PackageLayers.of("io.weir.cli")
            .add("unit")
            .add("traffic")
            .add("environment", "unit")
            .add("output", "environment", "unit")
            .add("yaml", "output", "unit")
            .add("scenario", "environment", "output", "unit", "yaml")
            .add("lab", "environment", "output", "scenario", "traffic", "unit")
            .add("stat", "environment", "output", "unit")
            .add("trace", "environment", "unit")
            .add("switching", "environment", "output", "unit", "yaml")
            .add("demo", "environment", "lab", "output", "scenario", "traffic", "unit", "yaml")
            .add("perf", "environment", "output", "traffic", "unit", "yaml")
            .add("doctor", "environment", "output", "perf", "unit")
            .addAbove("");

    /** The rules that the canary, which is below {@code output}, breaks one and all. */
    static List<ArchRule> rules() {
        return List.of(
                LAYERS.layer("output"),
                LAYERS.noCycles(),
                noClasses()
                        .should()
                        .dependOnClassesThat()
                        .resideInAPackage("jnr..")
                        .because("foreign calls are nic-bridge's"),
                noClasses()
                        .that()
                        .doNotBelongToAnyOf(WeirCommand.class)
                        .should()
                        .callMethod(System.class, "exit", int.class)
                        .because("a command returns its status, and tests run it in their process"),
                fields().that().areStatic().should().beFinal().because("what a static holds, two commands share"));
    }

    @ParameterizedTest
    @MethodSource("rules")
    void rule_ofTheCode_holds(ArchRule rule) {
        rule.check(CLASSES);
    }

    @ParameterizedTest
    @MethodSource("rules")
    void rule_ofTheCanary_isBroken(ArchRule rule) {
        assertThrows(AssertionError.class, () -> rule.check(CANARY));
    }

    /** Files, schemas and help follow from the catalogue: a new protocol or part at switches changes nothing here. */
    @Test
    void commands_knowNoProtocolButTheUsualOne() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.weir.transport.protocol.ccrp..",
                        "io.weir.transport.protocol.dx..",
                        "io.weir.transport.protocol.peers..",
                        "io.weir.transport.protocol.tfc..")
                .check(CLASSES);
    }

    @Test
    void everyPackage_usesOnlyThoseBelow() {
        LAYERS.check(CLASSES);
    }

    @Test
    void classesOfAPackage_formNoLargeCircles() {
        ClassCircles.requireNoneLarger(Path.of(""), Map.of());
    }
}
