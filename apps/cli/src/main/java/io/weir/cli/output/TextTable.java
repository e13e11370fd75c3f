package io.weir.cli.output;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** A table of text: the first column left-aligned, as names are, the others right-aligned, as quantities are. */
public final class TextTable {
    private static final String GAP = "  ";

    private final List<List<String>> rows = new ArrayList<>();
    private final int columnCount;

    /** Creates a table that has only its headings. */
    public TextTable(String... headings) {
        columnCount = headings.length;
        rows.add(List.of(headings));
    }

    /** {@return a table that has only its headings, which commas separate} */
    public static TextTable withHeadings(String headings) {
        return new TextTable(headings.split(", ", -1));
    }

    /**
     * Adds a row.
     *
     * @throws IllegalArgumentException unless it has a cell for each heading
     */
    public TextTable row(String... cells) {
        if (cells.length != columnCount) {
            throw new IllegalArgumentException(
                    "a row of " + cells.length + " cells in a table of " + columnCount + " columns");
        }
        rows.add(List.of(cells));
        return this;
    }

    /** Prints the table. */
    public void print(PrintWriter out) {
        lines().forEach(out::println);
    }

    /** {@return the table, line by line} */
    public List<String> lines() {
        int[] widths = new int[columnCount];
        for (List<String> row : rows) {
            for (int column = 0; column < columnCount; column++) {
                widths[column] = Math.max(widths[column], row.get(column).length());
            }
        }
        return rows.stream().map(row -> line(row, widths)).toList();
    }

    private String line(List<String> row, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int column = 0; column < columnCount; column++) {
            String cell = row.get(column);
            String padding = " ".repeat(widths[column] - cell.length());
            line.append(column == 0 ? cell + padding : GAP + padding + cell);
        }
        return line.toString().stripTrailing();
    }
}
