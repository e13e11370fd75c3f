package io.weir.cli.output;

/**
 * One line of {@code --json-stream}.
 *
 * @param schema which schema it follows
 * @param command the command
 * @param event what happened: {@code start}, {@code interval}, {@code end} or {@code error}
 * @param data about it; of the last two, what {@code --json} would have printed
 */
public record Line(String schema, String command, String event, Object data) {
    /** {@return a line of this build's schema} */
    public static Line of(String command, String event, Object data) {
        return new Line(ResultDocument.SCHEMA, command, event, data);
    }
}
