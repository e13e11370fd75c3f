package io.weir.cli;

import io.weir.cli.demo.DemoCommand;
import io.weir.cli.lab.LabCommand;
import io.weir.cli.paper.command.PaperCommand;
import io.weir.cli.perf.PerfCommand;
import io.weir.cli.plan.PlanCommand;
import io.weir.cli.scenario.SimCommand;
import io.weir.cli.switching.SwitchCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The root command. A command is added by naming its class in {@code subcommands}. */
@Command(
        name = "weir",
        description = "Kernel-bypass transport for Java services: credits and tokens meter data before it is sent.",
        scope = ScopeType.INHERIT,
        mixinStandardHelpOptions = true,
        versionProvider = VersionProvider.class,
        sortOptions = false,
        usageHelpAutoWidth = true,
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:done, and every stated criterion met",
            "1:ran, but a transfer, a check or a criterion failed",
            "2:the command line or a file is wrong",
            "3:the environment cannot do it",
            "4:ran, and no criterion failed, but at least one could not be judged"
        },
        subcommands = {
            DemoCommand.class,
            PerfCommand.class,
            SwitchCommand.class,
            SimCommand.class,
            LabCommand.class,
            PaperCommand.class,
            PlanCommand.class,
            CompletionCommand.class,
            ManCommand.class,
            SchemaCommand.class
        })
public final class Weir implements Runnable {
    private static final String DEBUG = "--debug";

    @Spec
    private CommandSpec spec;

    @Option(
            names = DEBUG,
            scope = ScopeType.INHERIT,
            description = "Log what happens, and print the trace of a failure.")
    private boolean isDebug;

    private Weir() {}

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "no command given");
    }

    /** {@return the command line with every command, ready to execute} */
    public static CommandLine commandLine() {
        Weir weir = new Weir();
        Failures failures = new Failures(() -> weir.isDebug || Boolean.getBoolean("weir.debug"));
        return new CommandLine(weir)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setAbbreviatedOptionsAllowed(false)
                .setParameterExceptionHandler(failures)
                .setExecutionExceptionHandler(failures);
    }

    /** Runs the command that the arguments name, and ends the process with its status. */
    public static void main(String[] arguments) {
        for (String argument : arguments) {
            if (argument.equals(DEBUG)) {
                System.setProperty("org.slf4j.simpleLogger.defaultLogLevel", "debug");
            }
        }
        System.exit(commandLine().execute(arguments));
    }
}
