package io.weir.transport.scenario;

import io.weir.transport.node.ConfigException;
import io.weir.transport.scenario.PauseTrace.Span;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Traces of pauses as text: lines of the nanoseconds that a thread ran, a comma or space, and the nanoseconds that it
 * then did not run; {@code #} begins a comment, and a line of names may come first. Those that come with Weir lie
 * next to this class as {@code pauses-<name>.csv}; reading files is their readers' business.
 */
public final class PauseTraces {
    private static final Pattern SEPARATOR = Pattern.compile("\\s*,\\s*|\\s+");
    private static final List<String> NAMES = List.of("idle", "spinner", "spinner-naps", "build");

    private PauseTraces() {}

    /** {@return the names of the traces that come with Weir} */
    public static List<String> names() {
        return NAMES;
    }

    /** {@return the resource, next to this class, that has the text of a trace that comes with Weir} */
    public static String resourceOf(String name) {
        if (!NAMES.contains(name)) {
            throw new ConfigException(
                    "there is no trace '" + name + "'; there are " + String.join(", ", NAMES) + ", and your files");
        }
        return "pauses-" + name + ".csv";
    }

    /** {@return the trace that a text describes} */
    public static PauseTrace parse(String name, String text) {
        List<Span> spans = new ArrayList<>();
        StringBuilder comments = new StringBuilder();
        String[] lines = text.split("\\R", -1);
        for (int i = 0; i < lines.length; i++) {
            String line = lines[i].strip();
            if (line.startsWith("#")) {
                comments.append(comments.isEmpty() ? "" : "; ")
                        .append(line.substring(1).strip());
            } else if (!line.isEmpty() && !(spans.isEmpty() && Character.isLetter(line.charAt(0)))) {
                spans.add(span(name, i + 1, line));
            }
        }
        try {
            return new PauseTrace(name, comments.toString(), spans);
        } catch (ConfigException e) {
            throw error(name, lines.length, e.getMessage());
        }
    }

    private static Span span(String name, int line, String text) {
        String[] columns = SEPARATOR.split(text, -1);
        if (columns.length != 2) {
            throw error(
                    name,
                    line,
                    "'" + text + "' has " + columns.length
                            + " columns; write nanoseconds that the thread ran, a comma, and nanoseconds that it did not");
        }
        long awakeNanos = number(name, line, columns[0]);
        long pausedNanos = number(name, line, columns[1]);
        try {
            return new Span(awakeNanos, pausedNanos);
        } catch (ConfigException e) {
            throw error(name, line, e.getMessage());
        }
    }

    private static long number(String name, int line, String column) {
        try {
            return Long.parseLong(column);
        } catch (NumberFormatException e) {
            throw error(name, line, "'" + column + "' is no whole number of nanoseconds");
        }
    }

    private static ConfigException error(String name, int line, String message) {
        return new ConfigException(name + ", line " + line + ": " + message);
    }
}
