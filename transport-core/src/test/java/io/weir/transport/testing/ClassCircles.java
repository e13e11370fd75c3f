package io.weir.transport.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Circles of classes: the largest sets of a package's source files in which every file reaches every other by the names
 * that it uses (the strongly connected components, after Tarjan). None of such a set can be understood, tested or
 * replaced without all the others. Names are looked for in sources, because the compiler leaves no trace of constants.
 */
public final class ClassCircles {
    /** A class with its collaborators, which know it: more than that is no longer one thought. */
    public static final int SIZE_MAX = 8;

    private static final Pattern COMMENT_OR_TEXT = Pattern.compile(
            "/\\*.*?\\*/|//[^\n]*|'(?:\\\\.|[^'\\\\\n])'|\"\"\".*?\"\"\"|\"(?:\\\\.|[^\"\\\\\n])*+\"", Pattern.DOTALL);
    private static final Pattern CLASS_NAME = Pattern.compile("\\b[A-Z]\\w+\\b");

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
     * Fails if a package of a module has a circle of more than {@link #SIZE_MAX} classes.
     *
     * @param module the module's folder
     * @param known the packages that have larger ones, each with the size of the largest: lower it when that shrinks,
     *     and never raise it
     */
    public static void requireNoneLarger(Path module, Map<String, Integer> known) {
        requireNoneLarger(of(module.resolve("src/main/java")), SIZE_MAX, known);
    }

    static void requireNoneLarger(Map<String, List<Set<String>>> found, int sizeMax, Map<String, Integer> known) {
        List<String> problems = new ArrayList<>();
        found.forEach((name, circles) -> {
            int limit = known.getOrDefault(name, sizeMax);
            circles.stream()
                    .filter(circle -> circle.size() > limit)
                    .forEach(circle -> problems.add(circle.size() + " classes of " + name + " form a circle (limit "
                            + limit + "); let one of them know less, by an interface or a package between: " + circle));
        });
        assertEquals(List.of(), problems);
    }

    /** {@return the circles of two classes and more, by package, for all packages below a folder of sources} */
    static Map<String, List<Set<String>>> of(Path sources) {
        Map<String, Map<String, String>> packages = new TreeMap<>();
        try (Stream<Path> files = Files.walk(sources)) {
            files.filter(file -> file.getFileName().toString().matches("\\w+\\.java"))
                    .forEach(file -> packages.computeIfAbsent(
                                    sources.relativize(file.getParent())
                                            .toString()
                                            .replace('/', '.'),
                                    name -> new TreeMap<>())
                            .put(file.getFileName().toString().replace(".java", ""), Document.read(file)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        // Were the folder elsewhere, nothing would ever be found.
        assertFalse(packages.isEmpty(), "no sources in " + sources.toAbsolutePath());
        Map<String, List<Set<String>>> result = new TreeMap<>();
        packages.forEach((name, texts) -> result.put(name, new ClassCircles(uses(texts)).circles));
        return result;
    }

    private static Map<String, Set<String>> uses(Map<String, String> texts) {
        Map<String, Set<String>> uses = new TreeMap<>();
        texts.forEach((name, text) -> {
            Set<String> used = new TreeSet<>();
            Matcher names = CLASS_NAME.matcher(COMMENT_OR_TEXT.matcher(text).replaceAll(""));
            while (names.find()) {
                used.add(names.group());
            }
            used.retainAll(texts.keySet());
            uses.put(name, used);
        });
        return uses;
    }

    private void visit(String name) {
        orders.put(name, orders.size());
        lowest.put(name, orders.get(name));
        open.push(name);
        isOpen.add(name);
        for (String used : usedBy.get(name)) {
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
            circle.add(name);
        } while (!name.equals(first));
        if (circle.size() > 1) {
            circles.add(circle);
        }
    }
}
