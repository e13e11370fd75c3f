package io.weir.cli;

import io.weir.cli.environment.BuildInfo;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** The manual page of a command, in the language of man(7), made from the same model as its {@code --help}. */
final class ManPage {
    private final CommandSpec command;
    private final String name;
    private final StringBuilder text = new StringBuilder();

    ManPage(CommandSpec command) {
        this.command = command;
        this.name = command.qualifiedName("-");
    }

    String fileName() {
        return name + ".1";
    }

    String text() {
        text.setLength(0);
        String title = name.toUpperCase(Locale.ROOT);
        macro("TH", "\"" + title + "\" \"1\" \"\" \"weir " + BuildInfo.current().version() + "\" \"Weir\"");
        macro("SH", "NAME");
        String[] description = command.usageMessage().description();
        line(name + " - " + (description.length > 0 ? description[0] : ""));
        macro("SH", "SYNOPSIS");
        String synopsis = new CommandLine.Help(command, CommandLine.Help.defaultColorScheme(Ansi.OFF)).synopsis(0);
        synopsis.lines().map(String::strip).forEach(this::line);
        macro("SH", "DESCRIPTION");
        paragraphs(description);
        arguments();
        commands();
        exitStatus();
        return text.toString();
    }

    private void arguments() {
        boolean isEmpty =
                command.positionalParameters().isEmpty() && command.options().isEmpty();
        if (!isEmpty) {
            macro("SH", "OPTIONS");
        }
        for (PositionalParamSpec parameter : command.positionalParameters()) {
            argument(parameter.paramLabel(), parameter);
        }
        for (OptionSpec option : command.options()) {
            if (!option.hidden()) {
                String names = Arrays.stream(option.names()).collect(Collectors.joining(", "));
                argument(option.arity().max() == 0 ? names : names + " " + option.paramLabel(), option);
            }
        }
    }

    private void argument(String heading, ArgSpec argument) {
        item(heading);
        for (String sentence : argument.description()) {
            line(sentence);
        }
    }

    private void commands() {
        if (command.subcommands().isEmpty()) {
            return;
        }
        macro("SH", "COMMANDS");
        for (CommandLine child : command.subcommands().values()) {
            CommandSpec childSpec = child.getCommandSpec();
            item(childSpec.qualifiedName("-") + "(1)");
            for (String sentence : childSpec.usageMessage().description()) {
                line(sentence);
            }
        }
    }

    private void exitStatus() {
        macro("SH", "EXIT STATUS");
        for (Map.Entry<String, String> code :
                command.usageMessage().exitCodeList().entrySet()) {
            item(code.getKey());
            line(code.getValue());
        }
    }

    private void paragraphs(String[] sentences) {
        for (String sentence : sentences) {
            macro("PP", "");
            line(sentence);
        }
    }

    private void item(String heading) {
        macro("TP", "");
        text.append("\\fB").append(escaped(heading)).append("\\fR\n");
    }

    private void macro(String macro, String arguments) {
        text.append('.').append(macro);
        if (!arguments.isEmpty()) {
            text.append(' ').append(arguments);
        }
        text.append('\n');
    }

    private void line(String sentence) {
        text.append(escaped(sentence)).append('\n');
    }

    /** A line that begins with a dot or a quote would be a request to the formatter. */
    private static String escaped(String sentence) {
        String plain = sentence.replace("\\", "\\e").replace("-", "\\-");
        return plain.startsWith(".") || plain.startsWith("'") ? "\\&" + plain : plain;
    }
}
