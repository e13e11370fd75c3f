package io.weir.cli.output;

/**
 * One line of {@code --json-stream}.
 *
 * @param schema which schema it follows
 * @param event what happened: {@code start}, {@code interval}, {@code end} or {@code error}
 * @param data about it
 */
public record Line(String schema, String event, Object data) {
    /** {@return a line of this build's schema} */
    public static Line of(String event, Object data) {
        return new Line(ResultDocument.SCHEMA, event, data);
    }
}
