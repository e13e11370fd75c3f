package io.weir.cli.perf;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Whether this machine, which may be a container itself, can run other systems inside. */
final class Sandbox {
    private static final String SECONDS_MAX = "60";

    private Sandbox() {}

    /** Skips the test, with what the command said, unless it ends with status 0. */
    static void assumeRuns(List<String> command, Map<String, String> environment) throws Exception {
        List<String> words = new ArrayList<>(List.of("timeout", SECONDS_MAX));
        words.addAll(command);
        ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true);
        builder.environment().putAll(environment);
        Process process = builder.start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int status = process.waitFor();
        assumeTrue(status == 0, () -> "this machine does not run it: status " + status + ": " + said);
    }
}
