package io.weir.transport.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The documents of the repository, and the blocks of them that tests print:
 *
 * <pre>
 *   &lt;!-- begin NAME --&gt;
 *   ...
 *   &lt;!-- end NAME --&gt;
 * </pre>
 *
 * Like golden files, blocks are rewritten with {@code -Dweir.golden=write}.
 */
public final class Document {
    private static final boolean WRITES = "write".equals(System.getProperty("weir.golden"));
    private static final List<String> NOT_OURS = List.of("target", ".git", ".m2");

    private Document() {}

    /** {@return the repository's folder} */
    public static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (folder != null && !Files.exists(folder.resolve("docs/ARCHITECTURE.md"))) {
            folder = folder.getParent();
        }
        if (folder == null) {
            throw new AssertionError(
                    "no docs/ARCHITECTURE.md in any folder above " + Path.of("").toAbsolutePath());
        }
        return folder;
    }

    /** {@return a file's text} */
    public static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@return the text of a document, named from the repository's folder} */
    public static String read(String name) {
        return read(root().resolve(name));
    }

    /** {@return the repository's files whose name ends so, in order} */
    public static List<Path> files(String ending) {
        return files(root(), ending);
    }

    /** {@return the files below a folder whose name ends so, in order} Folders that builds write to are not entered. */
    static List<Path> files(Path folder, String ending) {
        List<Path> found = new ArrayList<>();
        SimpleFileVisitor<Path> visitor = new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path below, BasicFileAttributes attributes) {
                return NOT_OURS.contains(below.getFileName().toString())
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (file.toString().endsWith(ending)) {
                    found.add(file);
                }
                return FileVisitResult.CONTINUE;
            }
        };
        try {
            Files.walkFileTree(folder, visitor);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Collections.sort(found);
        return found;
    }

    /** Fails unless the block {@code block} of a document has exactly this text. */
    public static void requireBlock(String name, String block, String actual) {
        String text = read(name);
        String begin = "<!-- begin " + block + " -->\n";
        String end = "<!-- end " + block + " -->";
        int from = text.indexOf(begin);
        int to = text.indexOf(end);
        if (from < 0 || to < from) {
            throw new AssertionError(name + " has no block " + block);
        }
        from += begin.length();
        String expected = text.substring(from, to);
        if (expected.equals(actual)) {
            return;
        }
        if (!WRITES) {
            throw new AssertionError(name + ", " + block + ", has\n" + expected + "\nbut now it is\n" + actual);
        }
        try {
            Files.writeString(root().resolve(name), text.substring(0, from) + actual + text.substring(to));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
