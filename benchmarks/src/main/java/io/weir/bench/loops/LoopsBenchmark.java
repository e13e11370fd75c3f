package io.weir.bench.loops;

import com.sun.management.ThreadMXBean;
import io.weir.bench.command.Arguments;
import io.weir.transport.protocol.catalogue.Catalogue;
import io.weir.transport.socket.Rehearsal;
import io.weir.transport.socket.TransportConfig;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Measures what several loops carry together against one: each runs both ends of a connection in memory on a separate
 * thread. Runs of one loop and of several take turns, and each pair gives a ratio, by the clock and by the processor
 * time of the loops. The second is what they would carry with a core each, on a machine that others use too.
 */
public final class LoopsBenchmark {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final double NANOS_PER_SECOND = 1e9;

    private LoopsBenchmark() {}

    /**
     * What loops carried at the same time.
     *
     * @param perSecond frames per second by the clock
     * @param perCoreSecond the sum of each loop's frames per second of its processor time
     */
    private record Rate(double perSecond, double perCoreSecond) {}

    /** Measures; the exit status is 1 when {@code --require} is not met, 2 when the command line is wrong. */
    @SuppressWarnings("SystemOut")
    public static void main(String[] arguments) throws InterruptedException, ExecutionException {
        LoopsOptions options = Arguments.readOrExit(() -> LoopsOptions.parse(arguments), LoopsOptions.USAGE);
        double ratio = measure(options);
        if (options.ratioMin() > 0 && ratio < options.ratioMin()) {
            System.out.printf(Locale.ROOT, "NOT MET: %.2f of %.2f%n", ratio, options.ratioMin());
            System.exit(1);
        }
    }

    @SuppressWarnings("SystemOut")
    private static double measure(LoopsOptions options) throws InterruptedException, ExecutionException {
        ExecutorService threads = Executors.newFixedThreadPool(options.loops());
        List<Rehearsal> worlds = new ArrayList<>();
        double[] byClock = new double[options.runs()];
        double[] byCore = new double[options.runs()];
        try {
            for (int i = 0; i < options.loops(); i++) {
                // A loop is the thread's that makes it; each task hands it to the thread that runs it.
                worlds.add(new Rehearsal(
                        TransportConfig.DEFAULT, Catalogue.find("expresspass").orElseThrow(), 1));
            }
            for (int i = -options.runs(); i < options.runs(); i++) {
                Rate one = run(threads, worlds.subList(0, 1), options.frames());
                Rate several = run(threads, worlds, options.frames());
                double clock = several.perSecond() / one.perSecond();
                double core = several.perCoreSecond() / one.perCoreSecond();
                System.out.printf(
                        Locale.ROOT,
                        "%s 1 loop %5.2f M frames/s, %d loops %5.2f: %.2f times; by processor time %.2f times%n",
                        i < 0 ? "warm" : "run ",
                        one.perSecond() / 1e6,
                        options.loops(),
                        several.perSecond() / 1e6,
                        clock,
                        core);
                if (i >= 0) {
                    byClock[i] = clock;
                    byCore[i] = core;
                }
            }
        } finally {
            threads.shutdownNow();
            worlds.forEach(Rehearsal::close);
        }
        Arrays.sort(byClock);
        Arrays.sort(byCore);
        int middle = options.runs() / 2;
        System.out.printf(
                Locale.ROOT,
                "%d loops carry %.2f times what 1 does by the clock (%.2f to %.2f), %.2f times by processor time"
                        + " (%.2f to %.2f)%n",
                options.loops(),
                byClock[middle],
                byClock[0],
                byClock[options.runs() - 1],
                byCore[middle],
                byCore[0],
                byCore[options.runs() - 1]);
        return byClock[middle];
    }

    private static Rate run(ExecutorService threads, List<Rehearsal> worlds, int frames)
            throws InterruptedException, ExecutionException {
        long startNanos = System.nanoTime();
        List<Future<Double>> rates = new ArrayList<>();
        for (Rehearsal world : worlds) {
            rates.add(threads.submit(() -> carry(world, frames)));
        }
        double perCoreSecond = 0;
        for (Future<Double> rate : rates) {
            perCoreSecond += rate.get();
        }
        double seconds = (System.nanoTime() - startNanos) / NANOS_PER_SECOND;
        return new Rate((double) worlds.size() * frames / seconds, perCoreSecond);
    }

    /** {@return frames per second of processor time} */
    private static double carry(Rehearsal world, int frames) {
        world.adopt();
        long beforeNanos = THREADS.getCurrentThreadCpuTime();
        world.carry(frames);
        return frames * NANOS_PER_SECOND / (THREADS.getCurrentThreadCpuTime() - beforeNanos);
    }
}
