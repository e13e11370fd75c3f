package io.weir.bench.latency;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * For how long the threads that exchange messages could have run and others were on their cores, as the kernel's
 * scheduler counts it. Only threads whose names begin with one of {@link #PREFIXES} count: not the compiler's or the
 * collector's.
 */
final class CoreWait {
    /** What the names of all threads in question begin with: an application's, and the loops'. */
    static final String[] PREFIXES = {"ping-", "weir-"};

    private static final Path TASKS = Path.of("/proc/self/task");

    private Map<Path, Long> before = Map.of();
    private long startNanos;
    private double percentMax;

    void begin() {
        before = read();
        startNanos = System.nanoTime();
    }

    void end() {
        double spanNanos = System.nanoTime() - startNanos;
        read().forEach((task, waitNanos) -> {
            long waitedNanos = waitNanos - before.getOrDefault(task, waitNanos);
            percentMax = Math.max(percentMax, 100 * waitedNanos / spanNanos);
        });
    }

    /** {@return the share of the thread that waited longest; 0 where the kernel does not count} */
    double percentMax() {
        return percentMax;
    }

    private static Map<Path, Long> read() {
        Map<Path, Long> waits = new HashMap<>();
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(TASKS)) {
            for (Path task : tasks) {
                if (isOurs(Files.readString(task.resolve("comm")))) {
                    // Time on a core, time waiting for one, turns.
                    String[] fields =
                            Files.readString(task.resolve("schedstat")).trim().split(" ", -1);
                    waits.put(task, Long.valueOf(fields[1]));
                }
            }
        } catch (IOException e) {
            // A kernel without scheduler statistics, or a thread that ended meanwhile.
            return Map.of();
        }
        return waits;
    }

    private static boolean isOurs(String name) {
        for (String prefix : PREFIXES) {
            if (name.startsWith(prefix)) {
                return true;
            }
        }
        return false;
    }
}
