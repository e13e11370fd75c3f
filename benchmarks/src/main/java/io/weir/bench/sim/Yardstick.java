package io.weir.bench.sim;

import io.weir.pacer.SeededRandom;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/**
 * What the machine can do at this moment, in a job that every event-driven simulator has: take the earliest of 256
 * events out of a binary heap, and put a later one in. Speeds in its terms may be compared between machines; those in
 * nanoseconds may not.
 */
final class Yardstick {
    private static final int EVENTS = 256;
    private static final int ROUNDS = 4_000_000;
    private static final long SPREAD_NANOS = 20_000;

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final long[] heap = new long[EVENTS];

    /** {@return what taking one out and putting one in costs now, in nanoseconds of the processor} */
    double measureNanos() {
        SeededRandom random = new SeededRandom(1);
        for (int i = 0; i < EVENTS; i++) {
            heap[i] = i;
        }
        long startNanos = threads.getCurrentThreadCpuTime();
        for (int i = 0; i < ROUNDS; i++) {
            replaceFirst(heap[0] + random.nextLong(SPREAD_NANOS));
        }
        return (threads.getCurrentThreadCpuTime() - startNanos) / (double) ROUNDS;
    }

    private void replaceFirst(long time) {
        int position = 0;
        for (int child = 1; child < EVENTS; child = 2 * position + 1) {
            if (child + 1 < EVENTS && heap[child + 1] < heap[child]) {
                child++;
            }
            if (time <= heap[child]) {
                break;
            }
            heap[position] = heap[child];
            position = child;
        }
        heap[position] = time;
    }
}
