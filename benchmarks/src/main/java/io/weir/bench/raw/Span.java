package io.weir.bench.raw;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.TimeUnit;

/** Tells when to begin to count and when to end, from one look at the clock for each turn of a loop. */
final class Span {
    /** How long a run warms up before it counts: the same as in C. */
    static final long WARM_UP_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final long endNanos;
    private final long beginNanos;
    /** Set once, when the warm-up is over; the loop's thread. */
    private boolean counting;
    // When counting began, by the loop's clock, and what each count was then: 0 before.
    private long startNanos;
    private long framesBefore;
    private long callsBefore;
    private long onCoreBefore;

    Span(double seconds) {
        beginNanos = System.nanoTime() + WARM_UP_NANOS;
        endNanos = beginNanos + (long) (seconds * TimeUnit.SECONDS.toNanos(1));
    }

    /** {@return whether to go on, having moved {@code frames} so far} */
    boolean goesOn(long frames, long calls, long nowNanos) {
        if (!counting && nowNanos - beginNanos >= 0) {
            counting = true;
            startNanos = nowNanos;
            framesBefore = frames;
            callsBefore = calls;
            onCoreBefore = THREADS.getCurrentThreadCpuTime();
        }
        return nowNanos - endNanos < 0;
    }

    /** {@return what happened since counting began} */
    RawResult result(long frames, long calls, long nowNanos) {
        long onCoreNanos = THREADS.getCurrentThreadCpuTime() - onCoreBefore;
        return RawResult.ofFrames(frames - framesBefore, nowNanos - startNanos, calls - callsBefore, onCoreNanos);
    }
}
