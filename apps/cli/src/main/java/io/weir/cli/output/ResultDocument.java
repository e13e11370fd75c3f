package io.weir.cli.output;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.weir.cli.environment.ExitCode;
import io.weir.cli.environment.Fingerprint;
import java.util.List;

/**
 * What a command found, as {@code --json} prints it. The schema is {@code weir-1.schema.json}.
 *
 * @param schema which schema it follows
 * @param command the command
 * @param environment what the result depends on besides the command
 * @param result the command's own part
 * @param criteria what the command promises of the result
 * @param error why it ended before its end, with the status that follows from it, or null: the result is what there was
 *     until then
 * @param ok whether it ran to its end and every criterion is met; one that could not be judged is not
 */
public record ResultDocument(
        String schema,
        String command,
        Fingerprint environment,
        Object result,
        List<Criterion> criteria,
        @JsonInclude(JsonInclude.Include.NON_NULL) ErrorDocument.Problem error,
        boolean ok) {
    /** The schema that documents of this build follow. */
    public static final String SCHEMA = "weir/1";

    public ResultDocument {
        criteria = List.copyOf(criteria);
    }

    /** {@return the document of a result} */
    public static ResultDocument of(String command, Fingerprint environment, Object result, List<Criterion> criteria) {
        boolean ok = criteria.stream().allMatch(Criterion::met);
        return new ResultDocument(SCHEMA, command, environment, result, criteria, null, ok);
    }

    /**
     * {@return this document, of a command that ended before its end with what it had found by then}
     *
     * @param reason why, or null if it ran to its end
     */
    public ResultDocument endedBecause(String reason) {
        return endedBecause(reason, ExitCode.FAILED);
    }

    /** {@return the same with another status than that of a failure} */
    public ResultDocument endedBecause(String reason, int exitCode) {
        return reason == null
                ? this
                : new ResultDocument(
                        schema,
                        command,
                        environment,
                        result,
                        criteria,
                        new ErrorDocument.Problem(exitCode, reason),
                        false);
    }

    /**
     * {@return the command's status: an error's own; otherwise one failed criterion outweighs any that could not be
     * judged}
     */
    int exitCode() {
        if (error != null) {
            return error.exitCode();
        }
        if (ok) {
            return ExitCode.DONE;
        }
        return criteria.stream().anyMatch(Criterion::hasFailed) ? ExitCode.FAILED : ExitCode.NOT_JUDGED;
    }

    /**
     * One line of {@code --json-stream}.
     *
     * @param schema which schema it follows
     * @param command the command
     * @param event what happened: {@code start}, {@code interval}, {@code end} or {@code error}
     * @param data about it; of the last two, what {@code --json} would have printed: a document, with a result or not
     */
    public record Line(String schema, String command, String event, Object data) {
        /** {@return a line of this build's schema} */
        public static Line of(String command, String event, Object data) {
            return new Line(SCHEMA, command, event, data);
        }
    }
}
