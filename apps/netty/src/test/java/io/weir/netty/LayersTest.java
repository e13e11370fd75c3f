package io.weir.netty;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import io.weir.transport.testing.ClassCircles;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The layers of this module: Netty's interfaces over the stack's, on Netty's threads. */
class LayersTest {
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.weir.netty");
    private static final JavaClasses CANARY = new ClassFileImporter().importPackages("io.weir.netty.canary");

    /** The rules that the canary breaks one and all. */
    static List<ArchRule> rules() {
        return List.of(
                classes()
                        .should()
                        .onlyDependOnClassesThat()
                        .resideInAnyPackage(
                                "java..",
                                "io.netty..",
                                "org.agrona..",
                                "org.slf4j..",
                                "reactor..",
                                "io.weir.netty..",
                                "io.weir.transport.flow",
                                "io.weir.transport.host",
                                "io.weir.transport.node",
                                "io.weir.transport.runtime",
                                "io.weir.transport.socket",
                                "io.weir.transport.wire")
                        .because("ports and protocols are the user's choice"),
                noClasses()
                        .should()
                        .callConstructor(Thread.class, Runnable.class)
                        .because("the stack runs inside Netty's event loop"),
                fields().that().areStatic().should().beFinal().because("what a static holds, two event loops share"));
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
    void classesOfAPackage_formNoLargeCircles() {
        ClassCircles.requireNoneLarger(Path.of(""), Map.of());
    }
}
