package io.weir.transport;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import io.weir.transport.protocol.catalogue.Catalogue;
import io.weir.transport.testing.ClassCircles;
import io.weir.transport.wire.IpAddress;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.net.ServerSocketFactory;
import javax.net.SocketFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The layers of this module: docs/ARCHITECTURE.md in executable form. */
class LayersTest {
    private static final String ROOT = "io.weir.transport.";
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.weir.transport");
    private static final JavaClasses CANARY =
            new ClassFileImporter().importPackages("io.weir.transport.protocol.canary");

    /** What Math may do in several ways. */
    private static final Set<String> INEXACT = Set.of(
            "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "exp", "expm1", "log", "log10", "log1p", "pow",
            "cbrt", "hypot", "sinh", "cosh", "tanh");

    /** The packages that a package may use besides itself. To add a package, add it here, at its height. */
    private static final Map<String, Set<String>> BELOW = new LinkedHashMap<>();

    static {
        BELOW.put("time", Set.of());
        BELOW.put("telemetry", Set.of());
        BELOW.put("observation", Set.of("node", "telemetry", "wire"));
        BELOW.put("frame", Set.of());
        BELOW.put("flow", Set.of());
        BELOW.put("node", Set.of("frame"));
        BELOW.put("wire", Set.of("frame", "telemetry"));
        BELOW.put("protocol", Set.of("frame", "node", "telemetry", "time", "wire"));
        BELOW.put("switching", Set.of("frame", "node", "protocol", "telemetry", "time", "wire"));
        BELOW.put("host", Set.of("flow", "frame", "node", "protocol", "telemetry", "time", "wire"));
        BELOW.put("scenario", Set.of("frame", "host", "node", "protocol", "switching", "telemetry", "time", "wire"));
        BELOW.put(
                "sim",
                Set.of("frame", "host", "node", "protocol", "scenario", "switching", "telemetry", "time", "wire"));
        BELOW.put("runtime", Set.of("frame", "node", "time", "wire"));
        BELOW.put(
                "socket",
                Set.of("flow", "frame", "host", "node", "observation", "protocol", "runtime", "telemetry", "wire"));
        BELOW.put("fallback", Set.of("node", "observation", "protocol", "socket"));
        BELOW.put("jdk", Set.of("fallback", "host", "nio", "node", "runtime", "socket", "wire"));
        BELOW.put("aio", Set.of());
        BELOW.put("nio", Set.of("fallback", "runtime", "socket"));
    }

    private static final Set<String> WITH_THREADS =
            Set.of("aio", "fallback", "jdk", "nio", "observation", "runtime", "socket");

    private static String[] patterns(Stream<String> packages) {
        return packages.map(name -> ROOT + name + "..").toArray(String[]::new);
    }

    private static String[] sansIo() {
        return patterns(BELOW.keySet().stream().filter(name -> !WITH_THREADS.contains(name)));
    }

    private static ArchRule layer(String name) {
        String[] above = patterns(BELOW.keySet().stream()
                .filter(other -> !other.equals(name) && !BELOW.get(name).contains(other)));
        return noClasses()
                .that()
                .resideInAPackage(ROOT + name + "..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(above);
    }

    /** The rules that the canary, a class of {@code protocol}, breaks one and all. */
    static List<ArchRule> rules() {
        return List.of(
                layer("protocol"),
                noClasses()
                        .that()
                        .resideInAnyPackage(sansIo())
                        .should()
                        .callMethod(System.class, "nanoTime")
                        .orShould()
                        .callMethod(System.class, "currentTimeMillis")
                        .orShould()
                        .dependOnClassesThat()
                        .haveFullyQualifiedName("java.time.Clock")
                        .because("time is an argument"),
                noClasses()
                        .that()
                        .resideInAnyPackage(sansIo())
                        .should()
                        .dependOnClassesThat()
                        .areAssignableTo(Thread.class)
                        .orShould()
                        .dependOnClassesThat()
                        .resideInAnyPackage("java.util.concurrent", "java.util.concurrent.locks")
                        .because("one thread owns a Node and everything in it"),
                noClasses()
                        .that()
                        .resideInAnyPackage(sansIo())
                        .should()
                        .callMethod(Math.class, "random")
                        .orShould()
                        .dependOnClassesThat()
                        .areAssignableTo(java.util.Random.class)
                        .because("a run is a seed: randomness is an argument"),
                noClasses()
                        .that()
                        .resideInAnyPackage(sansIo())
                        .should()
                        .callMethodWhere(isInexact())
                        .because(
                                "the results of these differ between Java versions and processors; StrictMath's do not"),
                noClasses()
                        .that()
                        .resideInAnyPackage(sansIo())
                        .and()
                        .doNotBelongToAnyOf(IpAddress.class)
                        .should()
                        .dependOnClassesThat()
                        .resideInAnyPackage("java.net..", "java.io..", "java.nio.channels..", "java.nio.file..")
                        .because("these packages do no I/O; IpAddress converts what applications have"),
                noClasses()
                        .that()
                        .resideOutsideOfPackage(ROOT + "sim..")
                        .should()
                        .dependOnClassesThat()
                        .resideInAPackage(ROOT + "sim..")
                        .because("the simulator is for tests, laboratories and the command"),
                fields().that().areStatic().should().beFinal().because("what a static holds, two Nodes share"));
    }

    /** {@return whether a method of Math may be off by a unit in the last place, which its Javadoc allows each} */
    private static DescribedPredicate<JavaMethodCall> isInexact() {
        return DescribedPredicate.describe(
                "a method of Math with several right results",
                call -> call.getTargetOwner().isEquivalentTo(Math.class)
                        && INEXACT.contains(call.getTarget().getName()));
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
        BELOW.keySet().forEach(name -> layer(name).check(CLASSES));
        Set<String> found = CLASSES.stream()
                .map(JavaClass::getPackageName)
                .filter(name -> name.startsWith(ROOT))
                .map(name -> name.substring(ROOT.length()).replaceFirst("\\..*", ""))
                .collect(Collectors.toCollection(TreeSet::new));
        assertEquals(new TreeSet<>(BELOW.keySet()), found);
    }

    @Test
    void packages_formNoCycles() {
        slices().matching(ROOT + "(**)").should().beFreeOfCycles().check(CLASSES);
    }

    @Test
    void protocols_doNotKnowEachOther() {
        slices().matching(ROOT + "protocol.(*)..")
                .should()
                .notDependOnEachOther()
                .ignoreDependency(
                        JavaClass.Predicates.resideInAPackage(ROOT + "protocol.."),
                        JavaClass.Predicates.resideInAPackage(ROOT + "protocol.credit.."))
                .ignoreDependency(
                        JavaClass.Predicates.resideInAPackage(ROOT + "protocol.."),
                        JavaClass.Predicates.resideInAPackage(ROOT + "protocol.reactive.."))
                .ignoreDependency(
                        JavaClass.Predicates.resideInAPackage(ROOT + "protocol.catalogue.."),
                        JavaClass.Predicates.resideInAPackage(ROOT + "protocol.."))
                .check(CLASSES);
    }

    /** A protocol with its part at switches is a package and one line: nothing else knows its classes. */
    @Test
    void protocols_areKnownToTheCatalogueAlone() {
        String[] protocols =
                patterns(Stream.of("ccrp", "dx", "expresspass", "peers", "tfc").map("protocol."::concat));
        noClasses()
                .that()
                .resideOutsideOfPackages(protocols)
                .and()
                .doNotBelongToAnyOf(Catalogue.class)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(protocols)
                .check(CLASSES);
        for (String protocol : protocols) {
            assertTrue(
                    CLASSES.stream().anyMatch(type -> (type.getPackageName() + "..").startsWith(protocol)),
                    protocol + " has no class");
        }
    }

    @Test
    void socketFactories_allOfThem_haveTheirOwnGetDefault() {
        // Software that names a class would call the inherited one, and get the kernel's sockets.
        Set<String> without = new TreeSet<>();
        Set<String> with = new TreeSet<>();
        for (JavaClass type : CLASSES) {
            if (type.isAssignableTo(SocketFactory.class) || type.isAssignableTo(ServerSocketFactory.class)) {
                (type.tryGetMethod("getDefault").isPresent() ? with : without).add(type.getSimpleName());
            }
        }
        assertEquals(Set.of(), without);
        assertEquals(Set.of("WeirServerSocketFactory", "WeirSocketFactory"), with);
    }

    @Test
    void libraries_usedByTheModule_areTheJdkAgronaAndTheLoggingInterface() {
        // The driver whose interface it implements is there where that class is asked for.
        classes()
                .that()
                .doNotHaveSimpleName("WeirMySqlSocketFactory")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "java..",
                        "javax.management..",
                        "javax.net..",
                        "jdk.jfr..",
                        "org.agrona..",
                        "org.slf4j..",
                        "io.weir.transport..",
                        "io.weir.pacer..")
                .check(CLASSES);
        noClasses()
                .that()
                .resideInAnyPackage(sansIo())
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.slf4j..")
                .because("core never logs")
                .check(CLASSES);
    }

    @Test
    void importer_findsTheClasses() {
        // Were the package misspelt, every rule would hold for nothing.
        assertTrue(CLASSES.size() > 100, CLASSES.size() + " classes");
        assertEquals(1, CANARY.size());
    }

    @Test
    void classesOfAPackage_formNoLargeCircles() {
        Map<String, Integer> known = Map.of(ROOT + "host", 26, ROOT + "socket", 18);
        ClassCircles.requireNoneLarger(Path.of(""), known);
        // The module below cannot use this one's tests.
        ClassCircles.requireNoneLarger(Path.of("..", "pacer"), Map.of());
    }
}
