package io.weir.cli.perf;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The program iperf3, as far as this machine has it. */
final class Iperf3 {
    private static final String SECONDS_MAX = "120";

    private Iperf3() {}

    /** {@return whether iperf3 and jq are installed: where live tests are required they must be} */
    static boolean isInstalled() {
        boolean isThere = isExecutable("iperf3") && isExecutable("jq");
        if (!isThere && "1".equals(System.getenv("WEIR_REQUIRE_LIVE"))) {
            throw new IllegalStateException("iperf3 or jq is not installed: apt-get install iperf3 jq");
        }
        return isThere;
    }

    private static boolean isExecutable(String name) {
        for (String folder : System.getenv("PATH").split(":", -1)) {
            if (Path.of(folder, name).toFile().canExecute()) {
                return true;
            }
        }
        return false;
    }

    /**
     * What a program printed.
     *
     * @param status its exit status
     * @param out standard output
     * @param err standard error
     */
    record Run(int status, String out, String err) {}

    /** {@return what iperf3 does with these options} */
    static Run run(String... options) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("timeout", SECONDS_MAX, "iperf3"));
        command.addAll(List.of(options));
        return run(new ProcessBuilder(command));
    }

    /** Waits until a server listens, which iperf3 says only when its buffer is full, or until it has ended. */
    static void awaitPort(Process server, int port) throws IOException, InterruptedException {
        Run run;
        do {
            run = run(new ProcessBuilder(
                    "sh", "-c", "ss -Hltn 'sport = :" + port + "' | grep -q LISTEN || { sleep 0.1; false; }"));
        } while (run.status() != 0 && server.isAlive());
    }

    static Run run(ProcessBuilder builder) throws IOException, InterruptedException {
        Path err = Files.createTempFile("iperf3", ".err");
        try {
            Process process = builder.redirectError(err.toFile()).start();
            process.getOutputStream().close();
            String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return new Run(process.waitFor(), out, Files.readString(err));
        } finally {
            Files.delete(err);
        }
    }

    /** A server of iperf3's that runs until it is closed. */
    record Server(Process process, int port) implements AutoCloseable {
        static Server start() throws IOException {
            int port = FreePort.next();
            Process process = new ProcessBuilder("iperf3", "-s", "-p", Integer.toString(port), "--forceflush")
                    .redirectErrorStream(true)
                    .start();
            BufferedReader said = process.inputReader(StandardCharsets.UTF_8);
            String line = said.readLine();
            while (line != null && !line.contains("Server listening")) {
                line = said.readLine();
            }
            if (line == null) {
                throw new IOException("iperf3 -s ended at once");
            }
            return new Server(process, port);
        }

        @Override
        public void close() {
            process.destroy();
        }
    }
}
