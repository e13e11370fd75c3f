package io.weir.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Writes a manual page for each command. */
@Command(
        name = "man",
        description = {"Write a manual page for each command.", "Read one with: man -l DIR/weir-perf.1"})
final class ManCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(names = "--out", required = true, paramLabel = "DIR", description = "Where to write them; made if missing.")
    private Path directory;

    ManCommand() {}

    @Override
    public Integer call() throws IOException {
        Files.createDirectories(directory);
        write(spec.root().commandLine());
        return ExitCode.DONE;
    }

    private void write(CommandLine commandLine) throws IOException {
        ManPage page = new ManPage(commandLine.getCommandSpec());
        Files.writeString(directory.resolve(page.fileName()), page.text());
        for (CommandLine child : commandLine.getSubcommands().values()) {
            write(child);
        }
    }
}
