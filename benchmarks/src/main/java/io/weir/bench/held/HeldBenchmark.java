package io.weir.bench.held;

import io.weir.bench.command.Arguments;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * Measures what an open connection costs that has carried bytes both ways and is idle: live heap and direct memory of
 * this process, in which both ends are, after a collection. The handler of each end, 32 bytes, is in it.
 */
public final class HeldBenchmark {
    private static final MemoryMXBean MEMORY = ManagementFactory.getMemoryMXBean();
    private static final int COLLECTIONS = 3;
    /** Connections before the first reading, so that tables and buffers that all share are there. */
    private static final int FIRST_CONNECTIONS = 100;

    private HeldBenchmark() {}

    /** Measures; the exit status is 1 when {@code --require} is not met, 2 when the command line is wrong. */
    @SuppressWarnings("SystemOut")
    public static void main(String[] arguments) throws Exception {
        HeldOptions options = Arguments.readOrExit(() -> HeldOptions.parse(arguments), HeldOptions.USAGE);
        long bytes = run(options, System.out);
        if (options.bytesMax() > 0 && bytes > options.bytesMax()) {
            System.out.println("NOT MET: " + bytes + " B of " + options.bytesMax() + " B");
            System.exit(1);
        }
    }

    /** {@return bytes per end of a connection} */
    static long run(HeldOptions options, PrintStream out) throws IOException, InterruptedException, ExecutionException {
        try (HeldRun run = new HeldRun(options.bytes())) {
            long idleMillis = (long) (options.idleSeconds() * TimeUnit.SECONDS.toMillis(1));
            run.carry(FIRST_CONNECTIONS);
            TimeUnit.MILLISECONDS.sleep(idleMillis);
            long beforeBytes = liveBytes();
            run.carry(options.connections());
            TimeUnit.MILLISECONDS.sleep(idleMillis);
            long bytes = (liveBytes() - beforeBytes) / (2L * options.connections());
            long ends = run.ask(host -> host.connectionCount());
            if (ends != 2L * (options.connections() + FIRST_CONNECTIONS)) {
                throw new IllegalStateException(ends + " ends of connections are open");
            }
            out.printf(
                    Locale.ROOT,
                    "%,d connections, idle for %.1f s after each has carried %,d B both ways: %,d B per end (heap and"
                            + " direct memory), of which buffers %,d B%n",
                    options.connections(),
                    options.idleSeconds(),
                    options.bytes(),
                    bytes,
                    run.ask(host -> host.bufferBudget().bytesInUse()) / ends);
            return bytes;
        }
    }

    private static long liveBytes() {
        for (int i = 0; i < COLLECTIONS; i++) {
            MEMORY.gc();
        }
        long bytes = MEMORY.getHeapMemoryUsage().getUsed();
        for (BufferPoolMXBean pool : ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class)) {
            bytes += pool.getMemoryUsed();
        }
        return bytes;
    }
}
