package io.weir.nic.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;

/** What the calling thread allocated on the heap in each of a fixed number of equal windows of work. */
public final class AllocationWindows {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    /** The bean allocates while its own answers are compiled and cached. */
    private static final int WARM_UP_CALLS = 10;

    private final long[] bytes;

    private AllocationWindows(long[] bytes) {
        this.bytes = bytes;
    }

    /** {@return what each of {@code windows} runs of {@code work} allocated; all of them run, whatever they find} */
    public static AllocationWindows of(int windows, Runnable work) {
        long[] bytes = new long[windows];
        for (int i = 0; i < WARM_UP_CALLS; i++) {
            THREADS.getCurrentThreadAllocatedBytes();
        }
        for (int i = 0; i < windows; i++) {
            long before = THREADS.getCurrentThreadAllocatedBytes();
            work.run();
            bytes[i] = THREADS.getCurrentThreadAllocatedBytes() - before;
        }
        return new AllocationWindows(bytes);
    }

    /**
     * Fails unless more than half of the windows allocated nothing. What the work allocates shows in all of them. What
     * the virtual machine allocates in this thread shows in a few, once per class: the thread that has a method queued
     * for the optimising compiler first makes the string constants of the method's class, and the first use of a class
     * loads it. So the work before the windows must be enough to compile what runs in them. The interpreter and the
     * quick compiler alone leave every window at 0.
     */
    public void requireNothingInSteadyState() {
        long median = Arrays.stream(bytes).sorted().toArray()[bytes.length / 2];
        assertEquals(0, median, () -> "bytes allocated in each window: " + Arrays.toString(bytes));
    }
}
