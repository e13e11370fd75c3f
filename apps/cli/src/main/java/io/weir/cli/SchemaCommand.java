package io.weir.cli;

import io.weir.cli.output.Json;
import io.weir.cli.scenario.ScenarioSchema;
import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints the schema of what {@code --json} prints, or of a file that a command reads. */
@Command(
        name = "schema",
        description =
                "Print the JSON Schema (draft 2020-12) of what --json and --json-stream print, or of a file that a command reads.")
final class SchemaCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Parameters(
            arity = "0..1",
            paramLabel = "SCHEMA",
            defaultValue = "weir",
            description =
                    "weir for results, switch for the file of weir switch, scenario for that of weir sim (default: ${DEFAULT-VALUE}).")
    private Schema schema;

    SchemaCommand() {}

    /** What there is a schema of. */
    private enum Schema {
        WEIR,
        SWITCH,
        SCENARIO;

        private String text() {
            return switch (this) {
                case WEIR -> Json.schema("weir-1");
                case SWITCH -> Json.schema("switch-1");
                case SCENARIO -> ScenarioSchema.text();
            };
        }
    }

    @Override
    public void run() {
        PrintWriter out = spec.commandLine().getOut();
        out.print(schema.text());
        out.flush();
    }
}
