package io.weir.cli.perf;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What this process took of the cores over some time.
 *
 * @param userNanos in its own code
 * @param systemNanos in the kernel, for it
 * @param elapsedNanos how long that was
 */
record CpuUse(long userNanos, long systemNanos, long elapsedNanos) {
    private static final Path STAT = Path.of("/proc/self/stat");
    /** Linux counts in hundredths of a second for user space, whatever its own clock does. */
    private static final long NANOS_PER_TICK = 10_000_000;
    // The fields of proc(5) behind the name of the command, which may have spaces.
    private static final int USER_FIELD = 11;
    private static final int SYSTEM_FIELD = 12;

    /** {@return what it has taken since it began, with the time of now} Zeros where the kernel does not tell. */
    static CpuUse now() {
        try {
            return parse(Files.readString(STAT), System.nanoTime());
        } catch (IOException e) {
            return new CpuUse(0, 0, System.nanoTime());
        }
    }

    static CpuUse parse(String stat, long nowNanos) {
        String[] fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ", -1);
        return new CpuUse(
                Long.parseLong(fields[USER_FIELD]) * NANOS_PER_TICK,
                Long.parseLong(fields[SYSTEM_FIELD]) * NANOS_PER_TICK,
                nowNanos);
    }

    /** {@return what was taken since {@code earlier}} */
    CpuUse since(CpuUse earlier) {
        return new CpuUse(
                userNanos - earlier.userNanos, systemNanos - earlier.systemNanos, elapsedNanos - earlier.elapsedNanos);
    }

    /** {@return how many cores it kept busy} */
    double cores() {
        return elapsedNanos <= 0 ? 0 : (double) (userNanos + systemNanos) / elapsedNanos;
    }
}
