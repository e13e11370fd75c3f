package io.weir.cli;

import io.weir.cli.environment.EnvironmentException;
import io.weir.cli.environment.ExitCode;
import io.weir.cli.output.ErrorDocument;
import io.weir.cli.output.OutputOptions;
import io.weir.nic.NicException;
import io.weir.transport.node.ConfigException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.net.BindException;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Turns what commands throw into a message on standard error, a status, and, where JSON was asked for, a document. */
final class FailureHandler implements IExecutionExceptionHandler, IParameterExceptionHandler {
    private final BooleanSupplier isDebug;

    FailureHandler(BooleanSupplier isDebug) {
        this.isDebug = isDebug;
    }

    @Override
    public int handleParseException(ParameterException exception, String[] arguments) {
        CommandLine commandLine = exception.getCommandLine();
        PrintWriter err = commandLine.getErr();
        String message = messageOf(exception, List.of(arguments));
        err.println("weir: " + message);
        UnmatchedArgumentException.printSuggestions(exception, err);
        String name = commandLine.getCommandSpec().qualifiedName();
        err.println("Try '" + name + " --help' for what it takes.");
        printTrace(exception, err);
        // The options were not understood, so the arguments themselves tell what standard output is for.
        OutputOptions.printError(
                commandLine.getOut(), List.of(arguments), document(commandLine, ExitCode.USAGE, message));
        return ExitCode.USAGE;
    }

    /** A converter's own words are better than those that picocli wraps them in. */
    private static String messageOf(ParameterException exception, List<String> arguments) {
        if (!(exception.getCause() instanceof ConfigException cause)) {
            return exception.getMessage();
        }
        if (exception.getArgSpec() instanceof OptionSpec option) {
            return typedName(option, arguments) + ": " + cause.getMessage();
        }
        return cause.getMessage();
    }

    /**
     * {@return the message with the option that was typed in place of the parameter that it sets} Parameters are named
     * by fields.
     */
    private static String withOption(String message, CommandLine commandLine, List<String> arguments) {
        for (OptionSpec option : commandLine.getCommandSpec().options()) {
            if (option.userObject() instanceof Field field && message.startsWith(field.getName() + "=")) {
                return typedName(option, arguments)
                        + message.substring(field.getName().length());
            }
        }
        return message;
    }

    /** {@return the option's name as it is on the command line, where it may stand with its value} */
    private static String typedName(OptionSpec option, List<String> arguments) {
        return Stream.of(option.names())
                .filter(name -> arguments.stream()
                        .anyMatch(argument -> argument.equals(name)
                                || argument.startsWith(name + "=")
                                || (!name.startsWith("--") && argument.startsWith(name))))
                .findFirst()
                .orElse(option.longestName());
    }

    @Override
    public int handleExecutionException(Exception exception, CommandLine commandLine, ParseResult parsed) {
        if (exception instanceof ParameterException wrong) {
            return handleParseException(wrong, parsed.originalArgs().toArray(String[]::new));
        }
        Throwable failure = unwrapped(exception);
        int code = codeOf(failure);
        boolean isForeseen = code != ExitCode.FAILED || failure instanceof IOException;
        String message = isForeseen && failure.getMessage() != null ? failure.getMessage() : failure.toString();
        if (failure instanceof ConfigException) {
            message = withOption(message, commandLine, parsed.originalArgs());
        }
        PrintWriter err = commandLine.getErr();
        err.println("weir: " + message);
        if (!isForeseen && !isDebug.getAsBoolean()) {
            err.println("This was not foreseen; --debug prints the trace.");
        }
        printTrace(failure, err);
        for (Object mixin : commandLine.getMixins().values()) {
            if (mixin instanceof OutputOptions options) {
                options.printError(document(commandLine, code, message));
            }
        }
        return code;
    }

    private static Throwable unwrapped(Throwable exception) {
        boolean isWrapper = exception instanceof UncheckedIOException || exception instanceof ExecutionException;
        return isWrapper && exception.getCause() != null ? unwrapped(exception.getCause()) : exception;
    }

    private static int codeOf(Throwable failure) {
        if (failure instanceof ConfigException) {
            return ExitCode.USAGE;
        }
        boolean isEnvironment = failure instanceof NicException
                || failure instanceof EnvironmentException
                || failure instanceof BindException;
        return isEnvironment ? ExitCode.ENVIRONMENT : ExitCode.FAILED;
    }

    private void printTrace(Throwable failure, PrintWriter err) {
        if (isDebug.getAsBoolean()) {
            failure.printStackTrace(err);
        }
        err.flush();
    }

    private static ErrorDocument document(CommandLine commandLine, int code, String message) {
        return ErrorDocument.of(commandLine.getCommandSpec().name(), code, message);
    }
}
