package io.weir.bench.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Sections as Markdown, which can be read where it is printed and put into a page. */
final class CompareMarkdown {
    static final String BEGIN = "<!-- begin compare -->";
    static final String END = "<!-- end compare -->";

    private CompareMarkdown() {}

    static String text(String introduction, List<CompareSection> sections) {
        StringBuilder text = new StringBuilder(introduction).append("\n\n");
        for (CompareSection section : sections) {
            text.append("### ").append(capitalized(section.title())).append("\n\n");
            if (!section.note().isEmpty()) {
                text.append(section.note()).append("\n\n");
            }
            row(text, section.headers());
            text.append('|').append("---|".repeat(section.headers().size())).append('\n');
            section.rows().forEach(cells -> row(text, cells));
            text.append('\n');
        }
        return text.toString();
    }

    private static void row(StringBuilder text, List<String> cells) {
        text.append('|');
        cells.forEach(cell -> text.append(cell.isEmpty() ? " " : " " + cell.replace("|", "\\|") + " ")
                .append('|'));
        text.append('\n');
    }

    static String capitalized(String title) {
        return Character.toUpperCase(title.charAt(0)) + title.substring(1);
    }

    /** Puts a text between the marks of a page, in place of what is there. */
    static void putInto(Path page, String text) throws IOException {
        String old = Files.readString(page);
        int begin = old.indexOf(BEGIN);
        int end = old.indexOf(END);
        if (begin < 0 || end < begin) {
            throw new IOException(page + " has no place for the output: it must have a line " + BEGIN
                    + " and, below it, a line " + END);
        }
        Files.writeString(page, old.substring(0, begin) + BEGIN + "\n" + text.strip() + "\n" + old.substring(end));
    }
}
