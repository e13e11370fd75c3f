package io.weir.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.weir.cli.KeyReference.Block;
import io.weir.cli.output.Json;
import io.weir.cli.scenario.ScenarioSchema;
import io.weir.cli.yaml.PortSchema;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints the schema of what {@code --json} prints, or of a file that a command reads, or that file's keys. */
@Command(
        name = "schema",
        description = {
            "Print the JSON Schema (draft 2020-12) of what --json and --json-stream print, or of a file that is read.",
            "With --keys, print the file's keys for people to read."
        })
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

    @Option(
            names = "--keys",
            description = "Print what each key of the file means, its values and its default; for switch and scenario.")
    private boolean isForPeople;

    SchemaCommand() {}

    /** What there is a schema of. */
    enum Schema {
        WEIR,
        SWITCH,
        SCENARIO;

        private String text() {
            return switch (this) {
                case WEIR -> Json.schema("weir-1");
                case SWITCH -> PortSchema.of("switch-1").toPrettyString() + "\n";
                case SCENARIO -> ScenarioSchema.text();
            };
        }

        /** {@return the keys of the file, block by block} */
        List<Block> keys() {
            try {
                return new KeyReference(new ObjectMapper().readTree(text())).blocks();
            } catch (JsonProcessingException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @Override
    public void run() {
        if (isForPeople && schema == Schema.WEIR) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--keys: weir is no file that a command reads; write schema switch or schema scenario");
        }
        PrintWriter out = spec.commandLine().getOut();
        out.print(isForPeople ? KeyText.of(schema.keys()) : schema.text());
        out.flush();
    }
}
