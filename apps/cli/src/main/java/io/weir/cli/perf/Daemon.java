package io.weir.cli.perf;

import io.weir.cli.environment.EnvironmentException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A server in the background: the same program once more, in another session, which prints to nobody but its log
 * file.
 */
final class Daemon {
    /** Tells the second program that it is the one in the background. */
    private static final String MARK = "WEIR_PERF_DAEMON";

    private static final Path COMMAND_LINE = Path.of("/proc/self/cmdline");
    /** What a server says once clients may come. */
    static final String READY = "Serving on";

    private Daemon() {}

    /** {@return whether this program is the one in the background} */
    static boolean isRunning() {
        return System.getenv(MARK) != null;
    }

    /** {@return the command's status: 0 once the server serves, or the one that it ended with} */
    static int start(PrintWriter err) throws IOException, InterruptedException {
        Process server = builder().start();
        server.getOutputStream().close();
        try (BufferedReader said = server.errorReader(StandardCharsets.UTF_8)) {
            for (String line = said.readLine(); line != null; line = said.readLine()) {
                err.println(line);
                if (line.startsWith(READY)) {
                    err.flush();
                    return 0;
                }
            }
        }
        err.flush();
        return server.waitFor();
    }

    private static ProcessBuilder builder() throws IOException {
        // From the kernel: the JDK's own figures end after a page.
        String line = Files.readString(COMMAND_LINE);
        List<String> words = new ArrayList<>(List.of("setsid"));
        words.addAll(Arrays.asList(line.split("\0")));
        if (words.size() < 2) {
            throw new EnvironmentException("-D: the kernel does not tell this process's command line; start the server"
                    + " in the background by the shell");
        }
        ProcessBuilder builder = new ProcessBuilder(words).redirectOutput(ProcessBuilder.Redirect.DISCARD);
        builder.environment().put(MARK, "1");
        return builder;
    }
}
