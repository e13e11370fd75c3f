package io.weir.papers;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import io.weir.papers.command.PaperCommandProvider;
import io.weir.transport.testing.ClassCircles;
import io.weir.transport.testing.PackageLayers;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The layers of this module: figures know what they are made of, and neither each other nor the command. */
class LayersTest {
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.weir.papers");
    private static final JavaClasses CANARY = new ClassFileImporter().importPackages("io.weir.papers.dx.canary");

    private static final PackageLayers LAYERS = PackageLayers.of("io.weir.papers")
            .add("")
            .add("run", "")
            .add("report", "", "run")
            .add("expresspass", "")
            .add("dx", "")
            .add("ccrp", "")
            .add("matrix", "")
            .add("live", "", "run")
            .add("tfc", "", "live")
            .addAbove("command");

    /** The rules that the canary, which is below {@code dx}, breaks one and all. */
    static List<ArchRule> rules() {
        return List.of(
                LAYERS.layer("dx"),
                LAYERS.noCycles(),
                noClasses()
                        .that()
                        .doNotBelongToAnyOf(PaperCommandProvider.class)
                        .should()
                        .dependOnClassesThat()
                        .resideInAPackage("io.weir.cli")
                        .because("the command finds the papers; they know its parts, not its root"),
                noClasses()
                        .that()
                        .resideOutsideOfPackage("io.weir.papers.report..")
                        .should()
                        .dependOnClassesThat()
                        .resideInAnyPackage("org.knowm.xchart..", "io.pebbletemplates..")
                        .because("charts are data, which the report draws"),
                noClasses()
                        .that()
                        .resideInAnyPackage(
                                "io.weir.papers",
                                "io.weir.papers.ccrp..",
                                "io.weir.papers.dx..",
                                "io.weir.papers.expresspass..",
                                "io.weir.papers.matrix..")
                        .should()
                        .callMethod(System.class, "nanoTime")
                        .because("figures run in virtual time"),
                fields().that().areStatic().should().beFinal().because("figures are evaluated on several threads"));
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

    @Test
    void everyPackage_usesOnlyThoseBelow() {
        LAYERS.check(CLASSES);
    }

    @Test
    void classesOfAPackage_formNoLargeCircles() {
        ClassCircles.requireNoneLarger(Path.of(""), Map.of());
    }
}
