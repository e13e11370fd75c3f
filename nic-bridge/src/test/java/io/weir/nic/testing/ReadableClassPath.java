package io.weir.nic.testing;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The class path, where every user may read it: what is built, and the cache of libraries, may be root's alone. */
public final class ReadableClassPath {
    private ReadableClassPath() {}

    /** {@return the class path of copies in {@code folder}, which every user may enter from now on} */
    public static String copyTo(Path folder) throws IOException {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        List<String> copies = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            Path from = Path.of(entry);
            if (Files.exists(from)) {
                Path to = folder.resolve(copies.size() + "-" + from.getFileName());
                copy(from, to);
                copies.add(to.toString());
            }
        }
        return String.join(File.pathSeparator, copies);
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Path copy = to.resolve(from.relativize(file).toString());
                Files.copy(file, copy);
                Files.setPosixFilePermissions(
                        copy, PosixFilePermissions.fromString(Files.isDirectory(file) ? "rwxr-xr-x" : "rw-r--r--"));
            }
        }
    }
}
