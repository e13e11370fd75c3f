package io.weir.cli.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cli.environment.ExitCode;
import io.weir.cli.testing.CommandRun;
import io.weir.transport.testing.Document;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Runs commands of docs/ADDING-A-PROTOCOL.md as they are printed there, with the protocol of its example. */
class ExampleCommandsTest {
    private static final String PROMPT = "    ./weir ";

    private static List<String> commands() {
        return Document.read("docs/ADDING-A-PROTOCOL.md")
                .lines()
                .filter(line -> line.startsWith(PROMPT))
                .map(line -> line.substring(PROMPT.length()).replaceFirst("  .*", ""))
                .toList();
    }

    /** Runs what is printed, from the repository's folder. */
    private static CommandRun run(String command) {
        CommandRun run = CommandRun.execute(Stream.of(command.split(" "))
                .map(word -> {
                    Path file = Document.root().resolve(word);
                    return Files.isRegularFile(file) ? file.toString() : word;
                })
                .toArray(String[]::new));
        assertEquals(ExitCode.DONE, run.await(), command + "\n" + run.out() + run.err());
        return run;
    }

    @Test
    void lastCommand_asPrinted_movesDataByTheExample() {
        List<String> commands = commands();
        String out = run(commands.get(commands.size() - 1)).out();
        assertTrue(out.contains("client: newreno (newreno) over memory"), out);
        assertFalse(out.contains("NOT MET"), out);
    }

    @Test
    void firstCommand_asPrinted_meetsTheCriteriaOfTheScenario() {
        String out = run(commands().get(0)).out();
        assertTrue(out.contains("met     the scenario ran to its end"), out);
    }
}
