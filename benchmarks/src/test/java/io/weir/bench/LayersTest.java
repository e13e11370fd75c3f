package io.weir.bench;

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

/** The layers of this module: benchmarks do not know each other, and the root knows all of them. */
class LayersTest {
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.weir.bench");
    private static final JavaClasses CANARY = new ClassFileImporter().importPackages("io.weir.bench.sim.canary");

    private static final PackageLayers LAYERS = PackageLayers.of("io.weir.bench")
            .add("command")
            .add("compare", "command")
            .add("held", "command")
            .add("latency", "command")
            .add("loops", "command")
            .add("path", "command")
            .add("pauses", "command")
            .add("raw", "command")
            .add("selector", "command")
            .add("sharing", "command")
            .add("sim", "command")
            .add("sockets", "command")
            .addAbove("");

    /** The rules that the canary, which is below {@code sim}, breaks one and all. */
    static List<ArchRule> rules() {
        return List.of(
                LAYERS.layer("sim"),
                LAYERS.noCycles(),
                noClasses()
                        .that()
                        .resideOutsideOfPackage("io.weir.bench.path..")
                        .and()
                        .doNotBelongToAnyOf(Benchmarks.class)
                        .should()
                        .dependOnClassesThat()
                        .resideInAPackage("org.openjdk.jmh..")
                        .because("JMH measures parts; whole programs are timed in turns"),
                noClasses()
                        .that()
                        .resideOutsideOfPackage("io.weir.bench.compare.end..")
                        .should()
                        .dependOnClassesThat()
                        .resideInAnyPackage("io.netty..", "io.grpc..", "io.aeron..")
                        .because("rivals run in processes that hold nothing else"));
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
