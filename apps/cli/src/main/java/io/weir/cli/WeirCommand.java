package io.weir.cli;

import io.weir.cli.demo.DemoCommand;
import io.weir.cli.doctor.DoctorCommand;
import io.weir.cli.environment.BuildInfo;
import io.weir.cli.environment.CommandProcess;
import io.weir.cli.lab.LabCommand;
import io.weir.cli.output.OutputOptions;
import io.weir.cli.perf.PerfCommand;
import io.weir.cli.scenario.PlanCommand;
import io.weir.cli.scenario.SimCommand;
import io.weir.cli.stat.StatCommand;
import io.weir.cli.switching.SwitchCommand;
import io.weir.cli.trace.TraceCommand;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The root command. A command is added by naming its class in {@link #COMMANDS}, or by a {@link CommandProvider}. */
@Command(
        name = "weir",
        description = "Kernel-bypass transport for Java services: credits and tokens meter data before it is sent.",
        scope = ScopeType.INHERIT,
        versionProvider = WeirCommand.Version.class,
        sortOptions = false,
        usageHelpAutoWidth = true,
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:done, and every stated criterion met",
            "1:ran, but a transfer, a check or a criterion failed",
            "2:the command line or a file is wrong",
            "3:the environment cannot do it",
            "4:ran, and no criterion failed, but at least one could not be judged"
        })
public final class WeirCommand implements Runnable {
    private static final String DEBUG = "--debug";

    private static final List<Class<?>> COMMANDS = List.of(
            DemoCommand.class,
            PerfCommand.class,
            SwitchCommand.class,
            BrokerCommand.class,
            StatCommand.class,
            TraceCommand.class,
            DoctorCommand.class,
            SimCommand.class,
            LabCommand.class,
            MissingPaperCommand.class,
            PlanCommand.class,
            CompletionCommand.class,
            ManCommand.class,
            SchemaCommand.class);

    /** The commands that write what others are. */
    private static final Set<String> WRITING_OF_ALL = Set.of(CompletionCommand.NAME, ManCommand.NAME);

    @Spec
    private CommandSpec spec;

    @Option(
            names = {"-h", "--help"},
            scope = ScopeType.INHERIT,
            usageHelp = true,
            description = "Show this help message and exit.")
    @SuppressWarnings("unused") // the option is read, not the field
    private boolean isHelpAsked;

    @Option(
            names = {"-v", "--version"},
            scope = ScopeType.INHERIT,
            versionHelp = true,
            description = "Print version information and exit.")
    @SuppressWarnings("unused") // the option is read, not the field
    private boolean isVersionAsked;

    @Option(
            names = {"-V", OutputOptions.VERBOSE},
            scope = ScopeType.INHERIT,
            description = "Print all that was found where a command's text is short.")
    @SuppressWarnings("unused") // the option is read, not the field
    private boolean isVerbose;

    @Option(
            names = DEBUG,
            scope = ScopeType.INHERIT,
            description = "Log what happens, and print the trace of a failure.")
    private boolean isDebug;

    private WeirCommand() {}

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "no command given");
    }

    /** {@return the command line with every command, ready to execute} */
    public static CommandLine commandLine() {
        return commandLine(commands().values());
    }

    /**
     * {@return a command line that can execute {@code arguments}} It has the command alone that they begin with: to
     * describe all commands takes as long as the JVM takes to start.
     */
    public static CommandLine commandLineFor(String... arguments) {
        Map<String, Supplier<?>> commands = commands();
        Supplier<?> command = arguments.length == 0 ? null : commands.get(arguments[0]);
        boolean isAlone = command != null && !WRITING_OF_ALL.contains(arguments[0]);
        return commandLine(isAlone ? List.of(command) : commands.values());
    }

    private static CommandLine commandLine(Collection<Supplier<?>> commands) {
        WeirCommand weir = new WeirCommand();
        FailureHandler failures = new FailureHandler(() -> weir.isDebug || Boolean.getBoolean("weir.debug"));
        CommandLine commandLine = new CommandLine(weir);
        commands.forEach(command -> commandLine.addSubcommand(command.get()));
        return commandLine
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setAbbreviatedOptionsAllowed(false)
                .setParameterExceptionHandler(failures)
                .setExecutionExceptionHandler(failures);
    }

    /** {@return by name the commands of this module, or those that replace them; then what other modules add} */
    private static Map<String, Supplier<?>> commands() {
        Map<String, Supplier<?>> commands = new LinkedHashMap<>();
        COMMANDS.forEach(
                command -> commands.put(command.getAnnotation(Command.class).name(), () -> command));
        ServiceLoader.load(CommandProvider.class, CommandProvider.class.getClassLoader())
                .forEach(provider -> commands.put(provider.name(), provider::command));
        return commands;
    }

    /** Runs the command that the arguments name, and ends the process with its status. */
    public static void main(String[] arguments) {
        for (String argument : arguments) {
            if (argument.equals(DEBUG)) {
                System.setProperty("org.slf4j.simpleLogger.defaultLogLevel", "debug");
            }
        }
        CommandProcess.run(() -> commandLineFor(arguments).execute(arguments), System::exit);
    }

    /** What {@code --version} prints. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            BuildInfo build = BuildInfo.current();
            return new String[] {"weir " + build.version() + " (commit " + build.commit() + ")"};
        }
    }
}
