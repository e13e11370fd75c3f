package io.weir.transport.testing;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.lang.ArchRule;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The packages of a module, each with those that it may use: the map of a {@code LayersTest}. A package's name is that
 * below the root; it includes the packages below it. The root's own name is empty.
 */
public final class PackageLayers {
    private final String root;
    private final Map<String, Set<String>> below = new LinkedHashMap<>();

    private PackageLayers(String root) {
        this.root = root;
    }

    /** {@return the map of the packages below {@code root}, still empty} */
    public static PackageLayers of(String root) {
        return new PackageLayers(root);
    }

    /** Adds a package that may use those in {@code used}, and no other. Returns this. */
    public PackageLayers add(String name, String... used) {
        below.put(name, Set.of(used));
        return this;
    }

    /** Adds a package that may use all that have been added before. Returns this. */
    public PackageLayers addAbove(String name) {
        below.put(name, Set.copyOf(below.keySet()));
        return this;
    }

    private String pattern(String name) {
        return name.isEmpty() ? root : root + "." + name + "..";
    }

    /** {@return the rule that a package uses only what the map says} */
    public ArchRule layer(String name) {
        String[] above = below.keySet().stream()
                .filter(other -> !other.equals(name) && !below.get(name).contains(other))
                .map(this::pattern)
                .toArray(String[]::new);
        return noClasses()
                .that()
                .resideInAPackage(pattern(name))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(above);
    }

    /** {@return the rule that packages form no cycle, whatever the map says} */
    public ArchRule noCycles() {
        return slices().matching(root + ".(**)").should().beFreeOfCycles();
    }

    /** Fails unless each package uses only what the map says, and the map has every package. */
    public void check(JavaClasses classes) {
        below.keySet().forEach(name -> layer(name).check(classes));
        Set<String> found = classes.stream()
                .map(JavaClass::getPackageName)
                .map(name ->
                        name.substring(root.length()).replaceFirst("^\\.", "").replaceFirst("\\..*", ""))
                .collect(Collectors.toCollection(TreeSet::new));
        assertEquals(new TreeSet<>(below.keySet()), found);
    }
}
