package io.weir.bench.pauses;

import java.util.Locale;
import java.util.concurrent.locks.LockSupport;

/**
 * Polls the clock as a loop polls its ports, and writes down every gap: each is time in which a loop would not have
 * run. Naps of the loop's own count as gaps, with what the machine adds to them.
 */
final class PauseRecorder {
    private static final double NANOS_PER_SECOND = 1e9;

    private final RecordOptions options;
    private final long[] awakeNanos;
    private final long[] pausedNanos;
    /** Spans recorded so far. */
    private int count;
    /** Time on the core and off it, all spans together. */
    private long totalNanos;

    PauseRecorder(RecordOptions options) {
        this.options = options;
        this.awakeNanos = new long[options.spansMax()];
        this.pausedNanos = new long[options.spansMax()];
    }

    /** Polls until the time is over or there are spans enough. A first second warms up the code, and the scheduler. */
    void run() {
        poll(Math.min(options.nanos(), (long) NANOS_PER_SECOND));
        count = 0;
        totalNanos = 0;
        poll(options.nanos());
    }

    private void poll(long forNanos) {
        long startNanos = System.nanoTime();
        long lastNanos = startNanos;
        long awakeSinceNanos = startNanos;
        long nappedNanos = startNanos;
        while (lastNanos - startNanos < forNanos && count < awakeNanos.length) {
            if (options.napNanos() > 0 && lastNanos - nappedNanos >= options.napEveryNanos()) {
                LockSupport.parkNanos(options.napNanos());
                nappedNanos = System.nanoTime();
            }
            long nowNanos = System.nanoTime();
            if (nowNanos - lastNanos >= options.gapNanosMin()) {
                awakeNanos[count] = Math.max(1, lastNanos - awakeSinceNanos);
                pausedNanos[count] = nowNanos - lastNanos;
                totalNanos += awakeNanos[count] + pausedNanos[count];
                count++;
                awakeSinceNanos = nowNanos;
            }
            lastNanos = nowNanos;
        }
    }

    /** {@return the trace as a file has it, with where it comes from} */
    String toCsv() {
        StringBuilder text = new StringBuilder();
        long paused = 0;
        long longest = 0;
        for (int i = 0; i < count; i++) {
            paused += pausedNanos[i];
            longest = Math.max(longest, pausedNanos[i]);
        }
        text.append("# Load: ").append(options.load()).append('\n');
        text.append("# Kernel ").append(release()).append(", ").append(loop()).append('\n');
        text.append(String.format(
                Locale.ROOT,
                "# %d gaps of %.0f us or more in %.3f s; off its core %.2f %% of the time, at most %.3f ms at once%n",
                count,
                options.gapNanosMin() / 1e3,
                totalNanos / NANOS_PER_SECOND,
                totalNanos == 0 ? 0.0 : 100.0 * paused / totalNanos,
                longest / 1e6));
        text.append("awakeNanos,pausedNanos\n");
        for (int i = 0; i < count; i++) {
            text.append(awakeNanos[i]).append(',').append(pausedNanos[i]).append('\n');
        }
        return text.toString();
    }

    private String loop() {
        return options.napNanos() == 0
                ? "a loop that never sleeps"
                : "a loop that naps for " + options.napNanos() / 1_000 + " us after every "
                        + options.napEveryNanos() / 1_000 + " us";
    }

    /** {@return the kernel's version, without what its builder added} */
    private static String release() {
        return System.getProperty("os.version").replaceFirst("-.*", "");
    }
}
