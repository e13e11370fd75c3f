package io.weir.pacer;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** This module is a leaf: arithmetic that knows no clock, no thread and no protocol. */
class LayersTest {
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.weir.pacer");
    private static final JavaClasses CANARY = new ClassFileImporter().importPackages("io.weir.pacer.canary");

    static List<ArchRule> rules() {
        return List.of(
                noClasses().should().callMethod(System.class, "nanoTime").because("time is an argument"),
                noClasses()
                        .should()
                        .dependOnClassesThat()
                        .areAssignableTo(java.util.Random.class)
                        .because("a run is a seed: SeededRandom is an argument"),
                noClasses()
                        .should()
                        .dependOnClassesThat()
                        .areAssignableTo(Thread.class)
                        .because("the owner of a pacer owns its thread"),
                fields().that().areStatic().should().beFinal());
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
    void libraries_usedByTheModule_areTheJdkAndAgrona() {
        classes()
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage("java..", "org.agrona..", "io.weir.pacer..")
                .check(CLASSES);
    }
}
