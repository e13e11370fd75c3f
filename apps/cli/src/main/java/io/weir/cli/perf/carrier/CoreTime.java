package io.weir.cli.perf.carrier;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * How long a thread of this process ran, and how long it waited for a core, by the kernel's own count.
 *
 * @param ranNanos on a core
 * @param waitedNanos ready to run, on none
 */
public record CoreTime(long ranNanos, long waitedNanos) {
    private static final Path TASKS = Path.of("/proc/self/task");
    /** The kernel keeps so much of a thread's name. */
    private static final int NAME_CHARS_MAX = 15;

    /** {@return the time of the one thread with this name, or null without one or where the kernel does not tell} */
    static CoreTime of(String threadName) {
        String wanted = threadName.substring(0, Math.min(threadName.length(), NAME_CHARS_MAX));
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(TASKS)) {
            CoreTime found = null;
            for (Path task : tasks) {
                if (Files.readString(task.resolve("comm")).strip().equals(wanted)) {
                    if (found != null) {
                        // The kernel keeps only the beginnings of their names, which are the same.
                        return null;
                    }
                    found = parse(Files.readString(task.resolve("schedstat")));
                }
            }
            return found;
        } catch (IOException | NumberFormatException e) {
            // Not Linux, or a kernel without these figures, or the thread ended meanwhile.
            return null;
        }
    }

    /** {@return what a line of schedstat says: nanoseconds run, nanoseconds waited, slices} */
    static CoreTime parse(String schedstat) {
        String[] fields = schedstat.strip().split(" ", -1);
        return fields.length < 2 ? null : new CoreTime(Long.parseLong(fields[0]), Long.parseLong(fields[1]));
    }

    /** {@return what has passed since {@code earlier}, or null if either is missing} */
    static CoreTime between(CoreTime earlier, CoreTime later) {
        return earlier == null || later == null
                ? null
                : new CoreTime(later.ranNanos - earlier.ranNanos, later.waitedNanos - earlier.waitedNanos);
    }
}
