package io.weir.transport.lab;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Plays a range of seeds on all cores. */
final class ScheduleRuns {
    private final List<Failure> failures = new ArrayList<>();
    private long scheduleCount;
    private long flowCount;
    private long unansweredCount;
    private long frameCount;
    private long cpuNanos;

    private ScheduleRuns() {}

    /** {@return what came of the seeds {@code from} to {@code to}, both inclusive} */
    static ScheduleRuns play(long from, long to) throws InterruptedException, ExecutionException {
        int threadCount = Runtime.getRuntime().availableProcessors();
        ScheduleRuns result = new ScheduleRuns();
        ExecutorService threads = Executors.newFixedThreadPool(threadCount);
        try {
            List<Future<ScheduleRuns>> parts = new ArrayList<>();
            for (int i = 0; i < threadCount; i++) {
                long first = from + i;
                parts.add(threads.submit(() -> playEvery(first, to, threadCount)));
            }
            for (Future<ScheduleRuns> part : parts) {
                result.add(part.get());
            }
        } finally {
            threads.shutdownNow();
        }
        result.failures.sort(Comparator.comparingLong(Failure::seed));
        return result;
    }

    private static ScheduleRuns playEvery(long from, long to, int step) {
        ScheduleRuns result = new ScheduleRuns();
        FaultLab lab = new FaultLab();
        var clock = ManagementFactory.getThreadMXBean();
        long startNanos = clock.getCurrentThreadCpuTime();
        for (long seed = from; seed <= to; seed += step) {
            String reason = lab.play(seed);
            if (reason != null) {
                result.failures.add(new Failure(seed, reason));
            }
        }
        result.cpuNanos = clock.getCurrentThreadCpuTime() - startNanos;
        result.scheduleCount = lab.scheduleCount();
        result.flowCount = lab.flowCount();
        result.unansweredCount = lab.unansweredCount();
        result.frameCount = lab.frameCount();
        return result;
    }

    private void add(ScheduleRuns part) {
        failures.addAll(part.failures);
        scheduleCount += part.scheduleCount;
        flowCount += part.flowCount;
        unansweredCount += part.unansweredCount;
        frameCount += part.frameCount;
        cpuNanos += part.cpuNanos;
    }

    /** {@return what failed, by seed} */
    List<Failure> failures() {
        return failures;
    }

    /** {@return schedules that were played to their end} */
    long scheduleCount() {
        return scheduleCount;
    }

    long flowCount() {
        return flowCount;
    }

    /** {@return ends that timed out although nothing was wrong with the other} */
    long unansweredCount() {
        return unansweredCount;
    }

    /** {@return schedules played a second of a core's time} */
    long schedulesPerSecond() {
        return cpuNanos == 0 ? 0 : scheduleCount * 1_000_000_000L / cpuNanos;
    }

    @Override
    public String toString() {
        return scheduleCount + " schedules, " + flowCount + " flows, " + frameCount + " frames, "
                + schedulesPerSecond() + " schedules/s a core, " + unansweredCount + " ends unanswered, "
                + failures.size() + " failures";
    }

    /**
     * A seed that failed.
     *
     * @param reason what went wrong, on one line
     */
    record Failure(long seed, String reason) {
        /** {@return the line that plays it again, with a log} */
        String command() {
            return "mvn -pl transport-core -am test -Dtest='FaultLabTest#play_*'"
                    + " -Dsurefire.failIfNoSpecifiedTests=false -Dweir.lab.seed=" + seed;
        }

        @Override
        public String toString() {
            return "seed " + seed + " (" + command() + "): " + reason;
        }
    }
}
