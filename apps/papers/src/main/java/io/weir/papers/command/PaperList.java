package io.weir.papers.command;

import io.weir.papers.Figure;
import java.io.PrintWriter;
import java.util.List;

/**
 * What can be reproduced.
 *
 * @param available the figures and tables
 */
record PaperList(List<Entry> available) {
    PaperList {
        available = List.copyOf(available);
    }

    /**
     * A figure or table.
     *
     * @param id its name
     * @param title what the paper shows there
     */
    record Entry(String id, String title) {}

    static PaperList of(List<Figure> figures) {
        return new PaperList(figures.stream()
                .map(figure -> new Entry(figure.id(), figure.title()))
                .toList());
    }

    void print(PrintWriter out) {
        int width =
                available.stream().mapToInt(entry -> entry.id().length()).max().orElse(0);
        available.forEach(
                entry -> out.println(entry.id() + " ".repeat(width - entry.id().length()) + "  " + entry.title()));
    }
}
