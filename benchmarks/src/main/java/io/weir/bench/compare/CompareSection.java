package io.weir.bench.compare;

import java.util.List;

/**
 * A part of what a comparison says.
 *
 * @param title what it is about
 * @param note how to read it, or empty
 * @param headers the columns of its table
 * @param rows the rows, each as long as the headers
 * @param charts drawings as SVG elements
 */
record CompareSection(String title, String note, List<String> headers, List<List<String>> rows, List<String> charts) {
    CompareSection {
        headers = List.copyOf(headers);
        rows = rows.stream().map(List::copyOf).toList();
        charts = List.copyOf(charts);
    }
}
