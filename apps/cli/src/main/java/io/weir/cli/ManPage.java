package io.weir.cli;

import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** The manual page of a command, made from the same model as its {@code --help}. */
final class ManPage {
    private final CommandSpec command;
    private final String name;
    private final ManText page;

    ManPage(CommandSpec command) {
        this.command = command;
        this.name = command.qualifiedName("-");
        this.page = new ManText(name, 1);
    }

    String fileName() {
        return name + ".1";
    }

    /** {@return the page; to be asked for once} */
    String text() {
        page.section("NAME");
        String[] description = command.usageMessage().description();
        page.line(name + " - " + (description.length > 0 ? description[0] : ""));
        page.section("SYNOPSIS");
        String synopsis = new CommandLine.Help(command, CommandLine.Help.defaultColorScheme(Ansi.OFF)).synopsis(0);
        synopsis.lines().map(String::strip).forEach(page::line);
        page.section("DESCRIPTION");
        page.paragraphs(description);
        arguments();
        commands();
        exitStatus();
        return page.text();
    }

    private void arguments() {
        boolean isEmpty =
                command.positionalParameters().isEmpty() && command.options().isEmpty();
        if (!isEmpty) {
            page.section("OPTIONS");
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
        page.item(heading);
        for (String sentence : argument.description()) {
            page.line(sentence);
        }
    }

    private void commands() {
        if (command.subcommands().isEmpty()) {
            return;
        }
        page.section("COMMANDS");
        for (CommandLine child : command.subcommands().values()) {
            CommandSpec childSpec = child.getCommandSpec();
            page.item(childSpec.qualifiedName("-") + "(1)");
            for (String sentence : childSpec.usageMessage().description()) {
                page.line(sentence);
            }
        }
    }

    private void exitStatus() {
        page.section("EXIT STATUS");
        for (Map.Entry<String, String> code :
                command.usageMessage().exitCodeList().entrySet()) {
            page.item(code.getKey());
            page.line(code.getValue());
        }
    }
}
