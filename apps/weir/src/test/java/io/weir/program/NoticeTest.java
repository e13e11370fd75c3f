package io.weir.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.testing.Document;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests that the notice in weir.jar names each library that the jar contains, and has its licence. */
class NoticeTest {
    private static final Path FOLDER = Document.root().resolve("apps/weir/src/main/legal");

    /** What only tests and measurements use. */
    private static final Pattern NOT_SHADED = Pattern.compile(
            "(junit|opentest4j|apiguardian|archunit|json-schema-validator|itu|weir-|surefire|jacoco|org\\.jacoco"
                    + "|netty-|aeron-|jmh-|jopt-|commons-math3).*");

    private static final Pattern JAR = Pattern.compile("(.+?)-\\d.*\\.jar");
    private static final Pattern ROW = Pattern.compile("(?m)^(\\S+) +(\\S+) +(LICENSE|licenses/)");

    @Test
    void notice_librariesOfTheClassPath_areAllNamed() {
        Set<String> used = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .map(entry -> JAR.matcher(Path.of(entry).getFileName().toString()))
                .filter(Matcher::matches)
                .map(jar -> jar.group(1))
                .filter(name -> !NOT_SHADED.matcher(name).matches())
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> named = ROW.matcher(Document.read(FOLDER.resolve("NOTICE")))
                .results()
                .map(row -> row.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
        assertEquals(used, named);
    }

    @Test
    void notice_filesThatItNames_areThere() {
        Set<String> files = Pattern.compile("licenses/[\\w.-]+\\.txt")
                .matcher(Document.read(FOLDER.resolve("NOTICE")))
                .results()
                .map(file -> file.group())
                .collect(Collectors.toSet());
        assertTrue(files.size() > 5);
        files.forEach(file -> assertTrue(Files.isRegularFile(FOLDER.resolve(file)), file));
    }

    @Test
    void notice_beginsWithWeirsOwn() {
        assertTrue(Document.read(FOLDER.resolve("NOTICE")).startsWith(Document.read("NOTICE")));
    }
}
