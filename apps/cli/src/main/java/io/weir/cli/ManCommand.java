package io.weir.cli;

import io.weir.cli.SchemaCommand.Schema;
import io.weir.cli.environment.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Writes a manual page for each command, and for each file that one reads. */
@Command(
        name = ManCommand.NAME,
        description = {
            "Write a manual page for each command, and for the files of weir sim and weir switch.",
            "Read one with: man -l DIR/weir-perf.1, or man -l DIR/weir-scenario.5"
        })
final class ManCommand implements Callable<Integer> {
    static final String NAME = "man";

    @Spec
    private CommandSpec spec;

    @Option(names = "--out", required = true, paramLabel = "DIR", description = "Where to write them; made if missing.")
    private Path directory;

    ManCommand() {}

    @Override
    public Integer call() throws IOException {
        Files.createDirectories(directory);
        write(spec.root().commandLine());
        write(new FileManPage("weir-scenario", "the file of weir sim and weir lab", Schema.SCENARIO.keys()));
        write(new FileManPage("weir-switch", "the file of weir switch", Schema.SWITCH.keys()));
        return ExitCode.DONE;
    }

    private void write(FileManPage page) throws IOException {
        Files.writeString(directory.resolve(page.fileName()), page.text());
    }

    private void write(CommandLine commandLine) throws IOException {
        ManPage page = new ManPage(commandLine.getCommandSpec());
        Files.writeString(directory.resolve(page.fileName()), page.text());
        for (CommandLine child : commandLine.getSubcommands().values()) {
            write(child);
        }
    }
}
