package io.weir.cli.doctor;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * The files by which a kernel tells about itself, below a root that is {@code /} on a real machine. Paths begin without
 * a slash. What cannot be read counts as absent.
 *
 * @param root what the paths are below
 */
record HostFiles(Path root) {
    /** The longest is that of interrupts: some 10 bytes per interrupt and CPU. */
    private static final int BYTES_MAX = 1 << 23;

    /** {@return the bytes of a file, or none if it cannot be read} */
    byte[] bytes(String path) {
        try (InputStream input = Files.newInputStream(root.resolve(path))) {
            return input.readNBytes(BYTES_MAX);
        } catch (IOException e) {
            return new byte[0];
        }
    }

    /** {@return the text of a file without the space around it, or empty if it cannot be read} */
    String text(String path) {
        return new String(bytes(path), StandardCharsets.UTF_8).strip();
    }

    /** {@return the lines of a file, none if it cannot be read} */
    List<String> lines(String path) {
        return text(path).lines().toList();
    }

    /** {@return the number in a file, or {@code absent} where there is none} */
    long number(String path, long absent) {
        return number(text(path), absent, 10);
    }

    /** {@return what follows {@code key} and a colon in its line of a file, or empty} */
    String value(String path, String key) {
        return lines(path).stream()
                .filter(line -> line.startsWith(key + ":"))
                .map(line -> line.substring(key.length() + 1).strip())
                .findFirst()
                .orElse("");
    }

    /** {@return the number that {@link #value} begins with, or {@code absent}} */
    long numberOf(String path, String key, long absent) {
        return number(value(path, key).split("\\s", 2)[0], absent, 10);
    }

    /** {@return the number that a text is in this base, or {@code absent}} */
    static long number(String text, long absent, int base) {
        try {
            return Long.parseLong(text, base);
        } catch (NumberFormatException e) {
            return absent;
        }
    }

    /** {@return the names in a folder in order, none if there is no such folder} */
    List<String> names(String path) {
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(root.resolve(path))) {
            entries.forEach(entry -> names.add(entry.getFileName().toString()));
        } catch (IOException e) {
            return List.of();
        }
        Collections.sort(names);
        return names;
    }

    /** {@return the last name of what a symbolic link points to} */
    Optional<String> linkName(String path) {
        try {
            Path target = Files.readSymbolicLink(root.resolve(path)).getFileName();
            return Optional.ofNullable(target).map(Path::toString);
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** {@return whether there is such a file or folder} */
    boolean exists(String path) {
        return Files.exists(root.resolve(path));
    }
}
