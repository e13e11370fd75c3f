package io.weir.nic;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import io.weir.transport.testing.ClassCircles;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The layers of this module, as package-info draws them. */
class LayersTest {
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.weir.nic");

    @Test
    void jnr_outsideFfi_isNotUsed() {
        noJnrOutside("io.weir.nic.ffi").check(CLASSES);
    }

    @Test
    void jnr_ruleForTheWrongPackage_fails() {
        // The canary: a rule that passes whatever the classes do proves nothing.
        assertThrows(AssertionError.class, () -> noJnrOutside("io.weir.nic.xdp").check(CLASSES));
    }

    @Test
    void packages_useOnlyThoseBelow() {
        layeredArchitecture()
                .consideringOnlyDependenciesInLayers()
                .layer("errors")
                .definedBy("io.weir.nic")
                .layer("ffi")
                .definedBy("io.weir.nic.ffi")
                .layer("net")
                .definedBy("io.weir.nic.net")
                .layer("bpf")
                .definedBy("io.weir.nic.bpf")
                .layer("xdp")
                .definedBy("io.weir.nic.xdp")
                .layer("host")
                .definedBy("io.weir.nic.host")
                .layer("packet")
                .definedBy("io.weir.nic.packet")
                .layer("broker")
                .definedBy("io.weir.nic.broker")
                .layer("lab")
                .definedBy("io.weir.nic.lab")
                .layer("switching")
                .definedBy("io.weir.nic.switching")
                .layer("thread")
                .definedBy("io.weir.nic.thread")
                .whereLayer("lab")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("thread")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("switching")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("xdp")
                .mayOnlyBeAccessedByLayers("lab", "switching")
                .whereLayer("packet")
                // A second transport of a process moves its frames by AF_PACKET.
                .mayOnlyBeAccessedByLayers("xdp", "switching")
                .whereLayer("broker")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("host")
                .mayOnlyBeAccessedByLayers("xdp", "packet", "broker", "switching")
                .whereLayer("bpf")
                .mayOnlyBeAccessedByLayers("xdp")
                .whereLayer("net")
                .mayOnlyBeAccessedByLayers("host", "xdp", "packet", "lab", "switching")
                .whereLayer("ffi")
                .mayOnlyBeAccessedByLayers("net", "bpf", "host", "xdp", "packet", "thread", "broker")
                .check(CLASSES);
    }

    @Test
    void classesOfAPackage_formNoLargeCircles() {
        ClassCircles.requireNoneLarger(Path.of(""), Map.of());
    }

    private static ArchRule noJnrOutside(String packageName) {
        return noClasses()
                .that()
                .resideOutsideOfPackage(packageName)
                .should()
                .dependOnClassesThat()
                .resideInAPackage("jnr..");
    }
}
