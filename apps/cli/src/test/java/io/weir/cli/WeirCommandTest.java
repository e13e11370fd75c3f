package io.weir.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.cli.environment.EnvironmentException;
import io.weir.cli.environment.ExitCode;
import io.weir.cli.output.OutputOptions;
import io.weir.cli.testing.CommandRun;
import io.weir.cli.testing.Documents;
import io.weir.nic.NicException;
import io.weir.transport.node.ConfigException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Tests what all commands have in common: statuses, messages, documents, help. */
class WeirCommandTest {
    /** A command that fails as it is told. */
    @Command(name = "fail")
    static final class FailingCommand implements Callable<Integer> {
        private final Exception failure;

        @Mixin
        private OutputOptions output;

        FailingCommand(Exception failure) {
            this.failure = failure;
        }

        @Override
        public Integer call() throws Exception {
            output.text().flush();
            throw failure;
        }
    }

    /** A command that has failed. */
    private record FailedRun(int status, String out, String err) {}

    private static FailedRun runFailing(Exception failure, String... arguments) {
        return runWith("fail", new FailingCommand(failure), arguments);
    }

    private static FailedRun runWith(String name, Object command, String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine commandLine = WeirCommand.commandLine();
        commandLine.addSubcommand(
                name,
                new CommandLine(command).setExecutionExceptionHandler(commandLine.getExecutionExceptionHandler()));
        int status = commandLine
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(arguments);
        return new FailedRun(status, out.toString(), err.toString());
    }

    static Stream<Arguments> failures() {
        return Stream.of(
                Arguments.of(new ConfigException("mtu=9 is below 1280"), 2, "mtu=9 is below 1280"),
                Arguments.of(new NicException("no AF_XDP here"), 3, "no AF_XDP here"),
                Arguments.of(new UncheckedIOException(new NicException("not root")), 3, "not root"),
                Arguments.of(new EnvironmentException("no ip command"), 3, "no ip command"),
                Arguments.of(new BindException("port 5201 is in use"), 3, "port 5201 is in use"),
                Arguments.of(new IOException("the peer went away"), 1, "the peer went away"),
                Arguments.of(new IllegalStateException("a bug"), 1, "java.lang.IllegalStateException: a bug"));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void execute_commandThrows_hasItsStatusAndMessage(Exception failure, int status, String message) {
        FailedRun run = runFailing(failure, "fail");
        assertEquals(status, run.status());
        assertEquals("weir: " + message, run.err().lines().findFirst().orElse(""));
        assertEquals("", run.out());
    }

    @ParameterizedTest
    @MethodSource("failures")
    void execute_commandThrowsWithJson_printsOneValidDocument(Exception failure, int status, String message) {
        JsonNode document =
                Documents.valid(runFailing(failure, "fail", "--json").out());
        assertEquals("fail", document.path("command").asText());
        assertEquals(status, document.at("/error/exitCode").asInt());
        assertEquals(message, document.at("/error/message").asText());
    }

    @Test
    void execute_unforeseenFailure_printsTheTraceOnlyWithDebug() {
        IllegalStateException bug = new IllegalStateException("a bug");
        String quiet = runFailing(bug, "fail").err();
        assertFalse(quiet.contains("\tat "), quiet);
        assertTrue(quiet.contains("--debug prints the trace"), quiet);
        String loud = runFailing(bug, "fail", "--debug").err();
        assertTrue(loud.contains("\tat io.weir.cli.WeirCommandTest"), loud);
    }

    @Test
    void execute_noOrUnknownCommand_isAWrongCommandLineWithAHint() {
        for (CommandRun run : new CommandRun[] {CommandRun.execute(), CommandRun.execute("bogus")}) {
            assertEquals(ExitCode.USAGE, run.await());
            assertEquals("", run.out());
            assertTrue(run.err().contains("Try 'weir --help'"), run.err());
        }
        assertTrue(CommandRun.execute("bogus").err().contains("bogus"));
        assertTrue(
                CommandRun.execute("perv").err().contains("weir perf"),
                CommandRun.execute("perv").err());
    }

    @Test
    void execute_wrongOptionWithJson_printsOneValidDocument() {
        CommandRun run = CommandRun.execute("perf", "--json", "--parallel", "many");
        assertEquals(ExitCode.USAGE, run.await());
        JsonNode document = Documents.valid(run.out());
        assertEquals(ExitCode.USAGE, document.at("/error/exitCode").asInt());
        assertTrue(document.at("/error/message").asText().contains("many"), run.out());
    }

    @ParameterizedTest
    @ValueSource(strings = {"demo", "perf", "switch", "broker", "doctor", "completion", "man", "schema"})
    void help_everyCommand_describesItsOptionsAndStatuses(String command) {
        CommandRun run = CommandRun.execute(command, "--help");
        assertEquals(ExitCode.DONE, run.await());
        assertTrue(run.out().startsWith("Usage: weir " + command), run.out());
        assertTrue(run.out().contains("the environment cannot do it"), run.out());
        assertEquals("", run.err());
    }

    @Test
    void commandLineFor_aCommand_describesNoOther() {
        assertEquals(
                Set.of("perf"),
                WeirCommand.commandLineFor("perf", "-c", "sim").getSubcommands().keySet());
        Set<String> all = WeirCommand.commandLine().getSubcommands().keySet();
        for (String first : List.of("completion", "man", "--help", "bogus")) {
            assertEquals(all, WeirCommand.commandLineFor(first).getSubcommands().keySet(), first);
        }
        assertEquals(all, WeirCommand.commandLineFor().getSubcommands().keySet());
    }

    @Test
    void execute_paperWithoutItsModule_namesTheModule() {
        FailedRun run = runWith("figures", new MissingPaperCommand(), "figures", "fig10", "--quick");
        assertEquals(ExitCode.ENVIRONMENT, run.status());
        assertTrue(run.err().startsWith("weir: paper fig10 --quick: needs the module io.weir:weir-papers"), run.err());
        assertEquals(1, run.err().lines().count());
    }

    @ParameterizedTest
    @ValueSource(strings = {"--version", "-v", "perf -v", "sim --version", "lab up -v"})
    void version_anywhere_saysVersionAndCommit(String arguments) {
        CommandRun run = CommandRun.execute(arguments.split(" ", -1));
        assertEquals(ExitCode.DONE, run.await());
        assertTrue(run.out().matches("weir \\S+ \\(commit \\S+\\)\\R"), run.out());
    }

    @Test
    void verbose_everyCommand_takesIt() {
        for (CommandLine command : WeirCommand.commandLine().getSubcommands().values()) {
            for (String name : List.of("-V", "--verbose", "-v", "--version", "-h", "--help")) {
                assertNotNull(command.getCommandSpec().findOption(name), command.getCommandName() + " " + name);
            }
        }
    }

    @Test
    void completion_script_isShellThatKnowsTheCommandsAndOptions(@TempDir Path directory) throws Exception {
        CommandRun run = CommandRun.execute("completion");
        assertEquals(ExitCode.DONE, run.await());
        assertTrue(run.out().contains("--connect-timeout"), "an option of perf is missing");
        Path script = Files.writeString(directory.resolve("weir"), run.out());
        Process check = new ProcessBuilder("bash", "-n", script.toString())
                .redirectErrorStream(true)
                .start();
        assertEquals("", new String(check.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
        assertEquals(0, check.waitFor());
    }

    @Test
    void man_everyCommand_hasAPageWithItsOptions(@TempDir Path directory) throws IOException {
        Path pages = directory.resolve("new");
        assertEquals(
                ExitCode.DONE,
                CommandRun.execute("man", "--out", pages.toString()).await());
        for (String command : WeirCommand.commandLine().getSubcommands().keySet()) {
            assertTrue(Files.exists(pages.resolve("weir-" + command + ".1")), command + " has no page");
        }
        String perf = Files.readString(pages.resolve("weir-perf.1"));
        assertTrue(perf.startsWith(".TH \"WEIR-PERF\" \"1\""), perf);
        assertTrue(perf.contains("\\fB\\-P, \\-\\-parallel COUNT\\fR"), perf);
        assertFalse(perf.contains("${"), "a variable was not filled in");
        String root = Files.readString(pages.resolve("weir.1"));
        assertTrue(root.contains("\\fBweir\\-perf(1)\\fR"), root);
    }

    @Test
    void man_eachFile_hasAPageWithItsKeys(@TempDir Path directory) throws IOException {
        CommandRun.execute("man", "--out", directory.toString()).await();
        String scenario = Files.readString(directory.resolve("weir-scenario.5"));
        assertTrue(scenario.startsWith(".TH \"WEIR-SCENARIO\" \"5\""), scenario);
        assertTrue(scenario.contains("\\fBoverSubscription\\fR"), scenario);
        assertTrue(Files.readString(directory.resolve("weir-switch.5")).contains("\\fBpauseBudget\\fR"));
    }

    @Test
    void schema_printed_isTheOneThatDocumentsAreHeldAgainst() {
        JsonNode schema = Documents.parse(CommandRun.execute("schema").out());
        assertEquals(
                "https://json-schema.org/draft/2020-12/schema",
                schema.path("$schema").asText());
        assertEquals(
                "weir/1", schema.at("/$defs/document/properties/schema/const").asText());
    }
}
