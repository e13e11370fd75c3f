package io.weir.cli.output;

import io.weir.cli.environment.Fingerprint;

/**
 * Why a command found nothing, as {@code --json} prints it.
 *
 * @param schema which schema it follows
 * @param command the command
 * @param environment the machine it happened on
 * @param error what happened
 * @param ok false
 */
public record ErrorDocument(String schema, String command, Fingerprint environment, Problem error, boolean ok) {
    /**
     * What happened.
     *
     * @param exitCode the command's status
     * @param message the reason and the remedy
     */
    public record Problem(int exitCode, String message) {}

    /** {@return the document of a failure} */
    public static ErrorDocument of(String command, int exitCode, String message) {
        return new ErrorDocument(
                ResultDocument.SCHEMA, command, Fingerprint.take(), new Problem(exitCode, message), false);
    }
}
