package io.weir.cli;

import io.weir.cli.output.Json;
import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Prints the schema of what {@code --json} prints. */
@Command(name = "schema", description = "Print the JSON Schema (draft 2020-12) of what --json and --json-stream print.")
final class SchemaCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    SchemaCommand() {}

    @Override
    public void run() {
        PrintWriter out = spec.commandLine().getOut();
        out.print(Json.schema());
        out.flush();
    }
}
