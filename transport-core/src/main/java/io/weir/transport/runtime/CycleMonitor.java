package io.weir.transport.runtime;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Notices when a loop's thread did not run although it should have: it lost its core. The time that the loop itself chose to
 * sleep does not count. Written by the loop's thread, read by any.
 */
public final class CycleMonitor {
    private final long pauseNanosMin;
    private final long stallNanosMin;
    private final AtomicLong stallCount = new AtomicLong();
    private final AtomicLong stallNanos = new AtomicLong();
    private final AtomicLong cycleCount = new AtomicLong();
    private long lastNanos = -1;

    /**
     * Creates a monitor.
     *
     * @param pauseNanosMin from which gap on Nodes are told of a pause: the lifetime of a credit
     * @param stallNanosMin from which gap on the thread counts as having been off its core
     */
    CycleMonitor(long pauseNanosMin, long stallNanosMin) {
        this.pauseNanosMin = pauseNanosMin;
        this.stallNanosMin = stallNanosMin;
    }

    /** {@return how long the Nodes were not run although they should have been, if that is a pause, or 0} */
    long onCycle(long nowNanos) {
        long gapNanos = lastNanos < 0 ? 0 : nowNanos - lastNanos;
        lastNanos = nowNanos;
        cycleCount.lazySet(cycleCount.getPlain() + 1);
        if (gapNanos >= stallNanosMin) {
            stallCount.lazySet(stallCount.getPlain() + 1);
            stallNanos.lazySet(stallNanos.getPlain() + gapNanos);
        }
        return gapNanos >= pauseNanosMin ? gapNanos : 0;
    }

    /** The loop chose to sleep until now. */
    void onWoken(long nowNanos) {
        lastNanos = nowNanos;
    }

    /** {@return how often the thread was off its core} */
    public long stallCount() {
        return stallCount.get();
    }

    /** {@return how long it was off its core, all times together} */
    public long stallNanos() {
        return stallNanos.get();
    }

    /** {@return cycles run} */
    public long cycleCount() {
        return cycleCount.get();
    }
}
