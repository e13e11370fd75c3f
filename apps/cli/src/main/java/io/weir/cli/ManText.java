package io.weir.cli;

import io.weir.cli.environment.BuildInfo;
import java.util.Locale;

/** The text of a manual page, in the language of man(7). */
final class ManText {
    private final StringBuilder text = new StringBuilder();

    /** A page that begins with its title and section, such as weir-perf and 1. */
    ManText(String name, int section) {
        String title = name.toUpperCase(Locale.ROOT);
        macro(
                "TH",
                "\"" + title + "\" \"" + section + "\" \"\" \"weir "
                        + BuildInfo.current().version() + "\" \"Weir\"");
    }

    String text() {
        return text.toString();
    }

    /** Begins a section. */
    void section(String title) {
        macro("SH", title);
    }

    /** Begins a part of a section. */
    void part(String title) {
        macro("SS", escaped(title));
    }

    /** Begins an item: a bold heading, behind which its description is indented. */
    void item(String heading) {
        macro("TP", "");
        text.append("\\fB").append(escaped(heading)).append("\\fR\n");
    }

    /** Adds a paragraph for each sentence. */
    void paragraphs(String... sentences) {
        for (String sentence : sentences) {
            macro("PP", "");
            line(sentence);
        }
    }

    void line(String sentence) {
        text.append(escaped(sentence)).append('\n');
    }

    private void macro(String macro, String arguments) {
        text.append('.').append(macro);
        if (!arguments.isEmpty()) {
            text.append(' ').append(arguments);
        }
        text.append('\n');
    }

    /** A line that begins with a dot or a quote would be a request to the formatter. */
    private static String escaped(String sentence) {
        String plain = sentence.replace("\\", "\\e").replace("-", "\\-");
        return plain.startsWith(".") || plain.startsWith("'") ? "\\&" + plain : plain;
    }
}
