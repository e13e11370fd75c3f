package io.weir.cli.output;

import java.io.BufferedWriter;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** A table as a file of comma-separated values (RFC 4180, with plain line feeds). */
public final class CsvFile implements AutoCloseable {
    private final BufferedWriter writer;

    /** Creates the file with its headings. */
    public CsvFile(Path file, String... columns) throws IOException {
        writer = Files.newBufferedWriter(file);
        row((Object[]) columns);
    }

    /**
     * A column of a table of records.
     *
     * @param name its heading
     * @param value what it has of a record
     */
    private record Column(String name, UnaryOperator<Object> value) {}

    /** Writes records, one a row; the components of a record within a record are columns too: creditsUsed. */
    public static <T extends Record> void write(Path path, Class<T> type, List<T> records) throws IOException {
        List<Column> columns = new ArrayList<>();
        collect(type, "", UnaryOperator.identity(), columns);
        try (CsvFile file = new CsvFile(path, columns.stream().map(Column::name).toArray(String[]::new))) {
            for (T each : records) {
                file.row(columns.stream()
                        .map(column -> column.value().apply(each))
                        .toArray());
            }
        }
    }

    private static void collect(Class<?> type, String prefix, UnaryOperator<Object> owner, List<Column> columns) {
        for (RecordComponent component : type.getRecordComponents()) {
            String own = component.getName();
            String name =
                    prefix.isEmpty() ? own : prefix + own.substring(0, 1).toUpperCase(Locale.ROOT) + own.substring(1);
            UnaryOperator<Object> value = row -> read(component, owner.apply(row));
            if (component.getType().isRecord()) {
                collect(component.getType(), name, value, columns);
            } else {
                columns.add(new Column(name, value));
            }
        }
    }

    private static Object read(RecordComponent component, Object owner) {
        try {
            return owner == null ? null : component.getAccessor().invoke(owner);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("a public record's component cannot be read: " + component, e);
        }
    }

    /** Adds a row; null is an empty cell. */
    public void row(Object... cells) throws IOException {
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
