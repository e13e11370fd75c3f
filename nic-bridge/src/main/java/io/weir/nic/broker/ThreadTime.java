package io.weir.nic.broker;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** How much processor time the thread that made it uses, as the kernel counts it. 1 microsecond per question. */
final class ThreadTime {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    /** What the thread had used when it was asked last. */
    private long usedNanos = THREADS.getCurrentThreadCpuTime();

    /** {@return what the thread has used since this was last asked} */
    long takeNanos() {
        long nowNanos = THREADS.getCurrentThreadCpuTime();
        long sinceNanos = nowNanos - usedNanos;
        usedNanos = nowNanos;
        return sinceNanos;
    }
}
