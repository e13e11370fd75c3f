package io.weir.papers;

import java.util.List;

/**
 * Numbers in rows.
 *
 * @param title what it shows
 * @param columns the headings
 * @param rows as many cells each as there are headings
 */
public record Table(String title, List<String> columns, List<List<String>> rows) {
    /** Copies the lists, and requires full rows. */
    public Table {
        columns = List.copyOf(columns);
        rows = rows.stream().map(List::copyOf).toList();
        for (List<String> row : rows) {
            if (row.size() != columns.size()) {
                throw new IllegalArgumentException("table \"" + title + "\": a row of " + row.size() + " cells under "
                        + columns.size() + " headings");
            }
        }
    }
}
