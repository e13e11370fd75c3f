package io.weir.cli.testing;

import io.weir.cli.Weir;
import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/**
 * A command that was run in this process.
 *
 * @param status what it told the shell
 * @param out its standard output
 * @param err its standard error
 */
public record CommandRun(int status, String out, String err) {
    /** Runs the command that the arguments name. */
    public static CommandRun of(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine commandLine =
                Weir.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        int status = commandLine.execute(arguments);
        return new CommandRun(status, out.toString(), err.toString());
    }
}
