package io.weir.cli.scenario;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The scenarios of {@code bad-files.txt}, which must be refused. */
final class BadFiles {
    private BadFiles() {}

    /**
     * A file that must be refused.
     *
     * @param text the file
     * @param message what is said
     * @param isShape whether the published schema can see it too
     */
    record Bad(String text, String message, boolean isShape) {
        @Override
        public String toString() {
            return message;
        }
    }

    static List<Bad> all() {
        List<Bad> files = new ArrayList<>();
        StringBuilder text = new StringBuilder();
        boolean isShape = false;
        for (String line : table().lines().toList()) {
            if (line.startsWith("=== ")) {
                text.setLength(0);
                isShape = line.equals("=== shape");
            } else if (line.startsWith("--- ")) {
                files.add(new Bad(text.toString(), line.substring(4), isShape));
            } else {
                text.append(line).append('\n');
            }
        }
        return files;
    }

    private static String table() {
        try (InputStream input = BadFiles.class.getResourceAsStream("bad-files.txt")) {
            return new String(input.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
