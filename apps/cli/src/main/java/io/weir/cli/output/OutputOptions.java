package io.weir.cli.output;

import io.weir.transport.node.ConfigException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** The choice between text and JSON, for every command that has a result. */
public final class OutputOptions {
    /** The option of every command that has its text print all that was found. */
    public static final String VERBOSE = "--verbose";

    /** A short report names so many criteria that are not met. */
    private static final int UNMET_MAX = 3;
    /** A short report has no longer lines. */
    private static final int CHARS_MAX = 110;

    @Spec(Target.MIXEE)
    private CommandSpec command;

    @Option(
            names = {"-J", "--json"},
            description = "Print one JSON document on standard output; everything else goes to standard error.")
    private boolean isJson;

    private boolean isLines;
    private boolean isIperf3;

    /** For picocli. */
    public OutputOptions() {}

    /** {@return whether a document was asked for} */
    public boolean isJson() {
        return isJson;
    }

    /** {@return whether text for people has all that was found} */
    public boolean isVerbose() {
        OptionSpec verbose = command.root().findOption(VERBOSE);
        return verbose != null && verbose.<Boolean>getValue();
    }

    /** Says that standard output is for one JSON object a line. */
    public void printLines() {
        isLines = true;
    }

    /** Says that standard output is for what iperf3's readers read. */
    public void printIperf3() {
        isIperf3 = true;
    }

    /** {@return whether standard output is for programs} */
    private boolean isForPrograms() {
        return isJson || isLines || isIperf3;
    }

    /** {@return where text for people goes while the command runs} */
    public PrintWriter text() {
        CommandLine commandLine = command.commandLine();
        return isForPrograms() ? commandLine.getErr() : commandLine.getOut();
    }

    /** {@return whether text for people should be printed while the command runs} */
    public boolean isLive() {
        return !isForPrograms() || Terminal.isStandardError();
    }

    /** {@return whether someone watches standard output} */
    public boolean isTerminal() {
        return Terminal.isStandardOutput();
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
        if (isIperf3) {
            printIperf3Error(documents(), isLines, document.error().message());
        } else if (isLines) {
            printLine("error", document);
        } else if (isJson) {
            Json.print(documents(), document);
        }
    }

    private static void printIperf3Error(PrintWriter out, boolean isLines, String message) {
        if (isLines) {
            Json.printLine(out, Iperf3Error.event(message));
        } else {
            Json.print(out, Iperf3Error.document(message));
        }
    }

    /**
     * Prints why a command was not understood, where its arguments ask for documents.
     *
     * @param out standard output
     */
    public static void printError(PrintWriter out, List<String> arguments, ErrorDocument document) {
        boolean isLines = arguments.contains("--json-stream");
        if (Iperf3Error.isAskedFor(arguments)) {
            printIperf3Error(out, isLines, document.error().message());
        } else if (isLines) {
            Json.printLine(out, ResultDocument.Line.of(document.command(), "error", document));
        } else if (arguments.contains("--json") || arguments.contains("-J")) {
            Json.print(out, document);
        }
    }

    /** {@return what shows how far long work has come, to terminals only} */
    public Progress progress() {
        return new Progress(command.commandLine().getErr(), Terminal.isStandardError());
    }

    /**
     * Prints the result as it was asked for. Why it ended before its end comes last, on standard error.
     *
     * @param text prints it for people; the criteria follow by themselves
     * @return the command's status
     */
    public int finish(ResultDocument document, Consumer<PrintWriter> text) {
        return finish(document, text, true);
    }

    /** The same for a report that is short: of the criteria it has those that are not met. */
    public int finishShort(ResultDocument document, Consumer<PrintWriter> text) {
        return finish(document, text, isVerbose());
    }

    private int finish(ResultDocument document, Consumer<PrintWriter> text, boolean hasAllCriteria) {
        if (isIperf3) {
            text.accept(documents());
        } else if (isLines) {
            printLine(document.error() == null ? "end" : "error", document);
        } else if (isJson) {
            Json.print(documents(), document);
        } else {
            PrintWriter out = text();
            text.accept(out);
            (hasAllCriteria ? allCriteria(document) : criteriaInShort(document)).forEach(out::println);
            out.flush();
        }
        if (document.error() != null) {
            PrintWriter err = command.commandLine().getErr();
            err.println("weir: " + document.error().message());
            err.flush();
        }
        return document.exitCode();
    }

    private static Stream<String> allCriteria(ResultDocument document) {
        return document.criteria().stream().map(Criterion::text);
    }

    private static Stream<String> criteriaInShort(ResultDocument document) {
        List<Criterion> unmet = document.criteria().stream()
                .filter(criterion -> !criterion.met())
                .toList();
        Stream<String> first = unmet.stream().limit(UNMET_MAX).map(criterion -> clipped(criterion.text()));
        int others = unmet.size() - UNMET_MAX;
        return others <= 0
                ? first
                : Stream.concat(first, Stream.of("... and " + others + " more; " + VERBOSE + " has them"));
    }

    /** {@return the line, or its beginning if it is too long for a short report} */
    public static String clipped(String line) {
        return line.length() <= CHARS_MAX ? line : line.substring(0, CHARS_MAX - 3) + "...";
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
