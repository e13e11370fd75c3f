package io.weir.transport.runtime;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongConsumer;

/**
 * Notices when a loop's thread did not run although it should have: it lost its core. The time that the loop itself
 * chose to sleep, having nothing to do, does not count. Written by the loop's thread, read by any.
 */
public final class CycleMonitor {
    /** From which length on a gap between two cycles is a pause: what a busy cycle does not take. */
    public static final long PAUSE_NANOS_MIN = 100_000;

    /**
     * What a cycle may take. Nodes are told by how much a gap is longer: links and meters have lost that time, for
     * whatever reason, and time-outs leave it out. Were they told of all of it, time-outs would never come where every
     * cycle is so long, because of what it does.
     */
    static final long GAP_NANOS_MIN = 50_000;

    /** From which length on a pause is told. */
    private static final long TOLD_NANOS_MIN = 1_000_000;

    private final long pauseNanosMin;
    private final long gapNanosMin;
    /** Pauses by length, since the loop began. */
    private final AtomicLongArray pausesByClass = new AtomicLongArray(PauseCounts.CLASSES.count());

    private final AtomicLong stallCount = new AtomicLong();
    private final AtomicLong stallNanos = new AtomicLong();
    private final AtomicLong stallNanosMax = new AtomicLong();
    private final AtomicLong cycleCount = new AtomicLong();
    private final AtomicLong busyNanos = new AtomicLong();
    /** Whether the latest cycle had work, so that the time until the next one is busy. With the cycle lock. */
    private boolean hadWork;
    /** When the latest cycle began, or the loop woke or was rested; -1 before the first. Loop thread only. */
    private long lastNanos = -1;
    /**
     * When the latest cycle began, or the loop woke from having nothing to do; -1 before the first. Loop thread only.
     */
    private long lastCycleNanos = -1;

    /** Is told of each long pause, within the cycle after it; set before the loop starts. */
    private LongConsumer pauseListener = nanos -> {};

    /** Until when nobody is to run a cycle, because there is nothing to do, or -1. With the cycle lock. */
    private long unattendedUntilNanos = -1;

    /**
     * Creates a monitor.
     *
     * @param pauseNanosMin from which gap on the thread counts as having been off its core
     * @param gapNanosMin by how much less than a gap Nodes are told
     */
    CycleMonitor(long pauseNanosMin, long gapNanosMin) {
        this.pauseNanosMin = pauseNanosMin;
        this.gapNanosMin = gapNanosMin;
    }

    /**
     * {@return by how much longer than a cycle may take the Nodes were not run although they had something to do, or 0}
     */
    long onCycle(long nowNanos) {
        if (unattendedUntilNanos >= 0) {
            onWoken(Math.min(nowNanos, unattendedUntilNanos));
        }
        long offCoreNanos = lastNanos < 0 ? 0 : nowNanos - lastNanos;
        long gapNanos = lastCycleNanos < 0 ? 0 : nowNanos - lastCycleNanos;
        lastNanos = nowNanos;
        lastCycleNanos = nowNanos;
        if (hadWork) {
            busyNanos.lazySet(busyNanos.getPlain() + gapNanos);
        }
        cycleCount.lazySet(cycleCount.getPlain() + 1);
        if (offCoreNanos >= pauseNanosMin) {
            count(offCoreNanos);
        }
        return Math.max(0, gapNanos - gapNanosMin);
    }

    /** A cycle has ended, and did so much. */
    void onWork(int work) {
        hadWork = work > 0;
    }

    /** Sets who is told of each pause of a millisecond or more. */
    void setPauseListener(LongConsumer listener) {
        pauseListener = listener;
    }

    private void count(long gapNanos) {
        if (gapNanos >= TOLD_NANOS_MIN) {
            pauseListener.accept(gapNanos);
        }
        if (gapNanos > stallNanosMax.getPlain()) {
            stallNanosMax.lazySet(gapNanos);
        }
        stallCount.lazySet(stallCount.getPlain() + 1);
        stallNanos.lazySet(stallNanos.getPlain() + gapNanos);
        int lengthClass = PauseCounts.CLASSES.of(gapNanos);
        pausesByClass.lazySet(lengthClass, pausesByClass.getPlain(lengthClass) + 1);
    }

    /** The loop chose to sleep until now, having nothing to do. */
    void onWoken(long nowNanos) {
        unattendedUntilNanos = -1;
        // Another thread may have run cycles meanwhile.
        lastNanos = Math.max(lastNanos, nowNanos);
        lastCycleNanos = Math.max(lastCycleNanos, nowNanos);
    }

    /** Nobody runs cycles until then, unless something comes: that time is no pause. */
    void onUnattended(long untilNanos) {
        unattendedUntilNanos = untilNanos;
    }

    /** {@return until when nobody is to run cycles, or a negative number} With the cycle lock. */
    long unattendedUntilNanos() {
        return unattendedUntilNanos;
    }

    /** The loop chose to rest until {@code wantedNanos}, with work at hand; what it overslept is a pause. */
    void onRested(long wantedNanos, long nowNanos) {
        lastNanos = Math.max(lastNanos, Math.min(wantedNanos, nowNanos));
    }

    /** {@return how often the thread was off its core} */
    public long stallCount() {
        return stallCount.get();
    }

    /** {@return how long it was off its core, all times together} */
    public long stallNanos() {
        return stallNanos.get();
    }

    /** {@return the longest time that it was off its core} */
    public long stallNanosMax() {
        return stallNanosMax.get();
    }

    /** {@return the time from each cycle with work to the next} Sleep is not part of it; time off the core is. */
    public long busyNanos() {
        return busyNanos.get();
    }

    /** {@return cycles run} */
    public long cycleCount() {
        return cycleCount.get();
    }

    /** {@return all pauses until now; the difference of two is what happened between them} */
    public PauseCounts pauses() {
        long[] counts = new long[pausesByClass.length()];
        for (int i = 0; i < counts.length; i++) {
            counts[i] = pausesByClass.get(i);
        }
        return new PauseCounts(counts, stallNanos());
    }
}
