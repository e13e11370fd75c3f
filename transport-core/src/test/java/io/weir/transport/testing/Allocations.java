package io.weir.transport.testing;

import java.lang.management.ManagementFactory;

/** Counts the bytes that the current thread allocates on the heap. */
public final class Allocations {
    private static final com.sun.management.ThreadMXBean THREADS =
            (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

    private Allocations() {}

    /** {@return the bytes that {@code work} allocates when it is run {@code times}} */
    public static long of(int times, Runnable work) {
        // The bean's own answers must be compiled and cached before they count as nothing.
        for (int i = 0; i < 10; i++) {
            THREADS.getCurrentThreadAllocatedBytes();
        }
        long before = THREADS.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < times; i++) {
            work.run();
        }
        return THREADS.getCurrentThreadAllocatedBytes() - before;
    }

    /**
     * {@return the fewest bytes of {@code windows} times that} An allocation in the work shows in every window. What
     * the virtual machine allocates once per class does not: the thread that has a method queued for the optimising
     * compiler makes the string constants of the method's class.
     */
    public static long fewestOf(int windows, int times, Runnable work) {
        long fewest = Long.MAX_VALUE;
        for (int i = 0; i < windows; i++) {
            fewest = Math.min(fewest, of(times, work));
        }
        return fewest;
    }
}
