package io.weir.bench.compare;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What the kernel has counted by now.
 *
 * @param nanos when it was read
 * @param processSeconds processor time of the processes, user and system
 * @param softirqSeconds the whole machine's time in soft interrupts
 * @param busySeconds the whole machine's time in processes, and what its host took from it
 * @param loopRunNanos time that threads of Weir's loops had a core
 * @param loopWaitNanos time that they wanted one and others had it
 */
record CpuReading(
        long nanos,
        double processSeconds,
        double softirqSeconds,
        double busySeconds,
        long loopRunNanos,
        long loopWaitNanos) {
    private static final double TICKS_PER_SECOND = 100;
    private static final int USER_FIELD = 11;
    private static final int SYSTEM_FIELD = 12;
    private static final int SOFTIRQ_FIELD = 7;
    /** User, nice, system, interrupts, stolen. */
    private static final List<Integer> BUSY_FIELDS = List.of(1, 2, 3, 6, 8);

    private static final String LOOP_PREFIX = "weir-";
    private static final long PAGE_BYTES = 4096;

    /** {@return what is counted of processes, and of the machine} */
    static CpuReading take(List<EndProcess> ends) throws IOException {
        double processTicks = 0;
        long runNanos = 0;
        long waitNanos = 0;
        for (EndProcess end : ends) {
            Path folder = Path.of("/proc", Long.toString(end.pid()));
            String[] fields = afterName(Files.readString(folder.resolve("stat")));
            processTicks += Long.parseLong(fields[USER_FIELD]) + Long.parseLong(fields[SYSTEM_FIELD]);
            long[] times = loopNanos(folder.resolve("task"));
            runNanos += times[0];
            waitNanos += times[1];
        }
        String[] machine = Files.readAllLines(Path.of("/proc/stat")).get(0).split(" +", -1);
        return new CpuReading(
                System.nanoTime(),
                processTicks / TICKS_PER_SECOND,
                Long.parseLong(machine[SOFTIRQ_FIELD]) / TICKS_PER_SECOND,
                BUSY_FIELDS.stream()
                                .mapToLong(field -> Long.parseLong(machine[field]))
                                .sum()
                        / TICKS_PER_SECOND,
                runNanos,
                waitNanos);
    }

    private static long[] loopNanos(Path tasks) throws IOException {
        long[] nanos = new long[2];
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(tasks)) {
            for (Path thread : threads) {
                try {
                    if (Files.readString(thread.resolve("comm")).startsWith(LOOP_PREFIX)) {
                        String[] times = Files.readString(thread.resolve("schedstat"))
                                .strip()
                                .split(" ", -1);
                        nanos[0] += Long.parseLong(times[0]);
                        nanos[1] += Long.parseLong(times[1]);
                    }
                } catch (IOException e) {
                    // A thread that ended just now; loops do not.
                }
            }
        }
        return nanos;
    }

    /** {@return the fields of a stat file that follow the name, which may hold blanks} */
    static String[] afterName(String stat) {
        return stat.substring(stat.lastIndexOf(')') + 2).strip().split(" ", -1);
    }

    /** {@return the memory that processes have in use} */
    static double residentBytes(List<EndProcess> ends) throws IOException {
        double bytes = 0;
        for (EndProcess end : ends) {
            String[] fields = Files.readString(Path.of("/proc", Long.toString(end.pid()), "statm"))
                    .split(" ", -1);
            bytes += (double) Long.parseLong(fields[1]) * PAGE_BYTES;
        }
        return bytes;
    }
}
