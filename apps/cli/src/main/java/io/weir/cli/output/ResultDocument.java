package io.weir.cli.output;

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
 * @param ok whether every criterion is met; one that could not be judged is not
 */
public record ResultDocument(
        String schema, String command, Fingerprint environment, Object result, List<Criterion> criteria, boolean ok) {
    /** The schema that documents of this build follow. */
    public static final String SCHEMA = "weir/1";

    public ResultDocument {
        criteria = List.copyOf(criteria);
    }

    /** {@return the document of a result} */
    public static ResultDocument of(String command, Fingerprint environment, Object result, List<Criterion> criteria) {
        boolean ok = criteria.stream().allMatch(Criterion::met);
        return new ResultDocument(SCHEMA, command, environment, result, criteria, ok);
    }

    /** {@return the command's status: one failed criterion outweighs any that could not be judged} */
    int exitCode() {
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
     * @param data about it; of the last two, what {@code --json} would have printed
     */
    public record Line(String schema, String command, String event, Object data) {
        /** {@return a line of this build's schema} */
        public static Line of(String command, String event, Object data) {
            return new Line(SCHEMA, command, event, data);
        }
    }
}
