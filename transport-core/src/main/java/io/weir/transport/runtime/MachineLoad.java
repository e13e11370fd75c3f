package io.weir.transport.runtime;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * How busy this machine is, as Linux counts it; elsewhere it counts as idle. Reading takes some 10 microseconds for
 * each thread of the process.
 */
final class MachineLoad {
    private final Path proc;
    private final int coreCount;

    /**
     * Finds the machine's cores.
     *
     * @param proc the kernel's folder about processes
     */
    MachineLoad(Path proc) {
        this.proc = proc;
        this.coreCount = Math.max(1, (int) read(proc.resolve("stat"))
                .lines()
                .filter(line -> line.matches("cpu\\d.*"))
                .count());
    }

    /** {@return the load of the machine that this process runs on} */
    static MachineLoad ofThisMachine() {
        return new MachineLoad(Path.of("/proc"));
    }

    /**
     * {@return for how long each thread of this process could have run and others were on its core, in nanoseconds
     * since the thread began} Empty where the kernel does not count.
     */
    Map<String, Long> waitNanos() {
        Map<String, Long> waits = new HashMap<>();
        try (DirectoryStream<Path> tasks =
                Files.newDirectoryStream(proc.resolve("self").resolve("task"))) {
            for (Path task : tasks) {
                // Time on a core, time waiting for one, turns.
                String[] fields = read(task.resolve("schedstat")).strip().split(" ", -1);
                if (fields.length == 3) {
                    waits.put(task.getFileName().toString(), Long.valueOf(fields[1]));
                }
            }
        } catch (IOException | NumberFormatException e) {
            // Another system, or another kernel: nothing is known.
            return Map.of();
        }
        return waits;
    }

    /** {@return the share of a core that the threads get which want to run now, 0 to 1} */
    double share() {
        String[] fields = read(proc.resolve("loadavg")).split("[ /]", -1);
        // The load of 1, 5 and 15 minutes; threads that want to run, and all of them.
        return fields.length < 5 || !fields[3].matches("\\d{1,9}")
                ? 1
                : Math.min(1, (double) coreCount / Math.max(1, Integer.parseInt(fields[3])));
    }

    /** {@return the load for a reader, or an empty text while no thread has to wait for a core} */
    String text() {
        String[] fields = read(proc.resolve("loadavg")).split("[ /]", -1);
        if (fields.length < 5 || share() == 1) {
            return "";
        }
        return String.format(
                Locale.ROOT, "%s threads want to run on %d cores, load %s", fields[3], coreCount, fields[0]);
    }

    /** {@return the file's text, or none where it cannot be read} */
    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return "";
        }
    }
}
