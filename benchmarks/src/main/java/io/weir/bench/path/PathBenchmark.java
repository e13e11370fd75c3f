package io.weir.bench.path;

import com.sun.management.ThreadMXBean;
import io.weir.bench.command.Arguments;
import io.weir.transport.socket.Rehearsal;
import io.weir.transport.socket.TransportConfig;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Locale;

/**
 * Measures what a data frame with its credit and its share of an acknowledgement costs at both ends together, on one
 * thread, with a link in memory: processor time, next to the least that its bytes cost.
 */
public final class PathBenchmark {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private PathBenchmark() {}

    /** Measures; the exit status is 1 when {@code --require} is not met, 2 when the command line is wrong. */
    @SuppressWarnings("SystemOut")
    public static void main(String[] arguments) {
        PathOptions options = Arguments.readOrExit(() -> PathOptions.parse(arguments), PathOptions.USAGE);
        double median = measure(options);
        if (options.nanosMax() > 0 && median > options.nanosMax()) {
            System.out.printf(Locale.ROOT, "NOT MET: %.0f ns of %.0f ns%n", median, options.nanosMax());
            System.exit(1);
        }
    }

    @SuppressWarnings("SystemOut")
    private static double measure(PathOptions options) {
        Floor floor = new Floor();
        double[] pathNanos = new double[options.runs()];
        double[] floorNanos = new double[options.runs()];
        long sink = 0;
        long allocatedBytes = 0;
        TransportConfig config = TransportConfig.builder()
                .creditFramesMax(options.creditFrames())
                .build();
        try (Rehearsal world = new Rehearsal(config, options.protocol(), options.connections())) {
            for (int i = -options.runs(); i < options.runs(); i++) {
                long bytesBefore = world.receivedBytes();
                long returnedBefore = world.returnedFrames();
                long framesBefore = world.dataFrames();
                long allocatedBefore = THREADS.getCurrentThreadAllocatedBytes();
                long beforeNanos = THREADS.getCurrentThreadCpuTime();
                world.carry(options.frames());
                double nanos = THREADS.getCurrentThreadCpuTime() - beforeNanos;
                long frames = world.dataFrames() - framesBefore;
                allocatedBytes = THREADS.getCurrentThreadAllocatedBytes() - allocatedBefore;
                long floorBeforeNanos = THREADS.getCurrentThreadCpuTime();
                sink += floor.run(options.frames());
                double least = THREADS.getCurrentThreadCpuTime() - floorBeforeNanos;
                System.out.printf(
                        Locale.ROOT,
                        "%s %6.0f ns/frame  floor %4.0f  %5.0f B/frame  %.2f frames back for one%n",
                        i < 0 ? "warm" : "run ",
                        nanos / frames,
                        least / options.frames(),
                        (double) (world.receivedBytes() - bytesBefore) / frames,
                        (double) (world.returnedFrames() - returnedBefore) / frames);
                if (i >= 0) {
                    pathNanos[i] = nanos / frames;
                    floorNanos[i] = least / options.frames();
                }
            }
            System.out.printf(
                    Locale.ROOT,
                    "allocated in the last run: %d B; retransmitted in all: %d B; sink %d%n",
                    allocatedBytes,
                    world.retransmittedBytes(),
                    sink & 1);
        }
        Arrays.sort(pathNanos);
        Arrays.sort(floorNanos);
        double median = pathNanos[options.runs() / 2];
        System.out.printf(
                Locale.ROOT,
                "median %.0f ns per data frame with all that belongs to it (%.0f to %.0f); floor %.0f ns%n",
                median,
                pathNanos[0],
                pathNanos[options.runs() - 1],
                floorNanos[options.runs() / 2]);
        return median;
    }
}
