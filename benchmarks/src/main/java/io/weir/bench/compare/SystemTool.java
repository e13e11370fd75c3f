package io.weir.bench.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs a program of the system, for a bounded time. */
final class SystemTool {
    private static final long SECONDS_MAX = 20;

    private SystemTool() {}

    /** Runs it; fails with what it said. */
    static void run(String... words) throws IOException, InterruptedException {
        Path output = Files.createTempFile("weir-compare", ".txt");
        try {
            Process process = new ProcessBuilder(List.of(words))
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            if (!process.waitFor(SECONDS_MAX, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IOException(String.join(" ", words) + " did not end within " + SECONDS_MAX + " s");
            }
            if (process.exitValue() != 0) {
                throw new IOException(String.join(" ", words) + " failed: "
                        + Files.readString(output).strip());
            }
        } finally {
            Files.delete(output);
        }
    }
}
