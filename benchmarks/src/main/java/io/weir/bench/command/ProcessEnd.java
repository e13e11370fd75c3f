package io.weir.bench.command;

import java.util.concurrent.TimeUnit;

/** Ends a process that a benchmark has started. */
public final class ProcessEnd {
    private static final int EXIT_SECONDS_MAX = 10;

    private ProcessEnd() {}

    /** Asks it to end, and kills it when it has not within some seconds, or when the thread is interrupted. */
    public static void end(Process process) {
        // Not Process.destroy(), which closes the output too: what it said last can still be read.
        process.toHandle().destroy();
        try {
            if (!process.waitFor(EXIT_SECONDS_MAX, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
