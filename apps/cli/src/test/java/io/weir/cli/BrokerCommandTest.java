package io.weir.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cli.environment.ExitCode;
import io.weir.cli.testing.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests what the command refuses before it serves anybody. */
class BrokerCommandTest {
    @TempDir
    private Path folder;

    private String socket() {
        return folder.resolve("test.sock").toString();
    }

    @Test
    void execute_noInterface_isAWrongCommandLine() {
        CommandRun run = CommandRun.execute("broker");
        assertEquals(ExitCode.USAGE, run.await());
        assertTrue(run.err().contains("--interface"), run.err());
    }

    @Test
    void execute_wrongRights_areRefusedWithTheirPlace() throws IOException {
        Path rights = Files.writeString(folder.resolve("rights"), "* 0\n");
        CommandRun run = CommandRun.execute(
                "broker", "--interface", "weir9", "--socket", socket(), "--rights", rights.toString());
        assertEquals(ExitCode.USAGE, run.await());
        assertTrue(run.err().contains(rights + ":1: 0 is no range of UDP ports"), run.err());
    }

    @Test
    void execute_backendOfClients_isRefused() {
        CommandRun run = CommandRun.execute("broker", "--interface", "weir9", "--backend", "broker");
        assertEquals(ExitCode.USAGE, run.await());
        assertTrue(run.err().contains("--backend=broker cannot be served by a broker"), run.err());
    }

    @Test
    void execute_noSuchInterface_leavesNothing() {
        CommandRun run = CommandRun.execute("broker", "--interface", "weir9", "--socket", socket());
        assertEquals(ExitCode.ENVIRONMENT, run.await());
        assertTrue(run.err().startsWith("weir: "), run.err());
        assertFalse(Files.exists(Path.of(socket())), "the socket stays behind");
    }

    @Test
    void perf_noBroker_isOfTheEnvironment() {
        CommandRun run = CommandRun.execute("perf", "-s", "--backend", "broker", "--interface", socket());
        assertEquals(ExitCode.ENVIRONMENT, run.await());
        assertTrue(run.err().contains("no broker listens at " + socket() + "; start one as root"), run.err());
    }
}
