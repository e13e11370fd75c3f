package io.weir.transport.testing;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Circles of classes: the largest sets of a package's top-level classes, each with its nested ones, in which every class
 * reaches every other by what it uses (the strongly connected components, after Tarjan). None of such a set can be
 * understood, tested or replaced without all the others.
 */
public final class ClassCircles {
    /** A class with its collaborators, which know it: more than that is no longer one thought. */
    public static final int SIZE_MAX = 8;

    private final Map<String, Set<String>> usedBy;
    private final Map<String, Integer> orders = new HashMap<>();
    private final Map<String, Integer> lowest = new HashMap<>();
    private final Deque<String> open = new ArrayDeque<>();
    private final Set<String> isOpen = new HashSet<>();
    private final List<Set<String>> circles = new ArrayList<>();

    private ClassCircles(Map<String, Set<String>> usedBy) {
        this.usedBy = usedBy;
        usedBy.keySet().forEach(name -> {
            if (!orders.containsKey(name)) {
                visit(name);
            }
        });
    }

    /**
     * {@return the rule that no package has a circle of more than {@link #SIZE_MAX} classes}
     *
     * @param grown the packages that have larger ones, each with the size of its largest: lower it when that shrinks, and
     *     never raise it
     */
    public static ArchRule noneLarger(Map<String, Integer> grown) {
        return classes().should(new Condition(SIZE_MAX, grown));
    }

    /** {@return the rule that no package has a circle of more than {@code sizeMax} classes} */
    static ArchRule noneLargerThan(int sizeMax) {
        return classes().should(new Condition(sizeMax, Map.of()));
    }

    /** {@return the circles of two and more among these classes, by package} */
    static Map<String, List<Set<String>>> of(Collection<JavaClass> classes) {
        Map<String, Map<String, Set<String>>> packages = new TreeMap<>();
        for (JavaClass type : classes) {
            Set<String> used = packages.computeIfAbsent(type.getPackageName(), name -> new TreeMap<>())
                    .computeIfAbsent(topLevel(type), name -> new TreeSet<>());
            type.getDirectDependenciesFromSelf().stream()
                    .map(dependency -> dependency.getTargetClass().getBaseComponentType())
                    .filter(target -> target.getPackageName().equals(type.getPackageName()))
                    .forEach(target -> used.add(topLevel(target)));
        }
        Map<String, List<Set<String>>> result = new TreeMap<>();
        packages.forEach((name, uses) -> result.put(name, new ClassCircles(uses).circles));
        return result;
    }

    private static String topLevel(JavaClass type) {
        return type.getName().replaceFirst("\\$.*", "");
    }

    private void visit(String name) {
        orders.put(name, orders.size());
        lowest.put(name, orders.get(name));
        open.push(name);
        isOpen.add(name);
        for (String used : usedBy.getOrDefault(name, Set.of())) {
            if (!orders.containsKey(used)) {
                visit(used);
                lowest.merge(name, lowest.get(used), Math::min);
            } else if (isOpen.contains(used)) {
                lowest.merge(name, orders.get(used), Math::min);
            }
        }
        if (lowest.get(name).equals(orders.get(name))) {
            close(name);
        }
    }

    private void close(String first) {
        Set<String> circle = new TreeSet<>();
        String name;
        do {
            name = open.pop();
            isOpen.remove(name);
            circle.add(name.substring(name.lastIndexOf('.') + 1));
        } while (!name.equals(first));
        if (circle.size() > 1) {
            circles.add(circle);
        }
    }

    private static final class Condition extends ArchCondition<JavaClass> {
        private final int sizeMax;
        private final Map<String, Integer> grown;
        private Collection<JavaClass> classes = List.of();

        Condition(int sizeMax, Map<String, Integer> grown) {
            super("form no circle of more than " + sizeMax + " classes, or of what was known: " + new TreeMap<>(grown));
            this.sizeMax = sizeMax;
            this.grown = grown;
        }

        @Override
        public void init(Collection<JavaClass> all) {
            classes = all;
        }

        @Override
        public void check(JavaClass type, ConditionEvents events) {
            // A circle is no class's alone: see finish.
        }

        @Override
        public void finish(ConditionEvents events) {
            of(classes).forEach((name, circles) -> circles.stream()
                    .filter(circle -> circle.size() > grown.getOrDefault(name, sizeMax))
                    .forEach(circle -> events.add(SimpleConditionEvent.violated(
                            name,
                            circle.size() + " classes of " + name + " form a circle (limit "
                                    + grown.getOrDefault(name, sizeMax)
                                    + "): let one of them know less, by an interface or a separate package: "
                                    + circle))));
        }
    }
}
