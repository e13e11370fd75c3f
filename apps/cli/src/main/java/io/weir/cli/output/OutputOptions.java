package io.weir.cli.output;

import io.weir.transport.node.ConfigException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** The choice between text and JSON, for every command that has a result. */
public final class OutputOptions {
    @Spec(Target.MIXEE)
    private CommandSpec command;

    @Option(
            names = {"-J", "--json"},
            description = "Print one JSON document on standard output; everything else goes to standard error.")
    private boolean isJson;

    private boolean isLines;

    /** For picocli. */
    public OutputOptions() {}

    /** {@return whether a document was asked for} */
    public boolean isJson() {
        return isJson;
    }

    /** Says that standard output is for one JSON object a line. */
    public void printLines() {
        isLines = true;
    }

    /** {@return where text for people goes while the command runs} */
    public PrintWriter text() {
        CommandLine commandLine = command.commandLine();
        return isJson || isLines ? commandLine.getErr() : commandLine.getOut();
    }

    /** {@return whether text for people should be printed while the command runs} */
    public boolean isLive() {
        return !(isJson || isLines) || Terminal.isStandardError();
    }

    /** {@return standard output, for what programs read} */
    public PrintWriter documents() {
        return command.commandLine().getOut();
    }

    /** Prints what has happened, where a program reads line by line. */
    public void printLine(String event, Object data) {
        Json.printLine(documents(), ResultDocument.Line.of(command.name(), event, data));
    }

    /** Prints why there is no result, where a program waits for one. */
    public void printError(ErrorDocument document) {
        if (isLines) {
            printLine("error", document);
        } else if (isJson) {
            Json.print(documents(), document);
        }
    }

    /** {@return what shows how far long work has come, to terminals only} */
    public Progress progress() {
        return new Progress(command.commandLine().getErr(), Terminal.isStandardError());
    }

    /**
     * Prints the result as it was asked for.
     *
     * @param text prints it for people; the criteria follow by themselves
     * @return the command's status
     */
    public int finish(ResultDocument document, Consumer<PrintWriter> text) {
        if (isLines) {
            printLine("end", document);
        } else if (isJson) {
            Json.print(documents(), document);
        } else {
            PrintWriter out = text();
            text.accept(out);
            document.criteria().forEach(criterion -> out.println(criterion.text()));
            out.flush();
        }
        return document.exitCode();
    }

    /** Makes the folder of {@code --out} if it is missing; refuses what is no folder. */
    public static void makeFolder(Path folder) throws IOException {
        try {
            Files.createDirectories(folder);
        } catch (FileAlreadyExistsException e) {
            throw new ConfigException("--out: " + folder + " is no folder; name another", e);
        }
    }
}
