package io.weir.cli;

import java.io.PrintWriter;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Prints what teaches a shell to complete the command's words. */
@Command(
        name = CompletionCommand.NAME,
        description = {
            "Print a completion script for bash and zsh.",
            "Use it with: source <(weir completion), or put it among the shell's completions."
        })
final class CompletionCommand implements Runnable {
    static final String NAME = "completion";

    @Spec
    private CommandSpec spec;

    CompletionCommand() {}

    @Override
    public void run() {
        CommandSpec root = spec.root();
        PrintWriter out = spec.commandLine().getOut();
        out.print(AutoComplete.bash(root.name(), root.commandLine()));
        out.flush();
    }
}
