package io.weir.cli.scenario;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Collectors;

/** A table as a file of comma-separated values (RFC 4180, with plain line feeds). */
final class CsvFile implements AutoCloseable {
    private final BufferedWriter writer;

    CsvFile(Path file, String... columns) throws IOException {
        writer = Files.newBufferedWriter(file);
        row((Object[]) columns);
    }

    /** Adds a row; null is an empty cell. */
    void row(Object... cells) throws IOException {
        writer.write(Arrays.stream(cells).map(CsvFile::text).collect(Collectors.joining(",")));
        writer.write('\n');
    }

    private static String text(Object cell) {
        String text = Objects.toString(cell, "");
        boolean isPlain = text.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
        return isPlain ? text : "\"" + text.replace("\"", "\"\"") + "\"";
    }

    @Override
    public void close() throws IOException {
        writer.close();
    }
}
