package io.weir.transport.host;

/**
 * How long this host took to hand its latest frames to the device: for each cycle that had some, the time at which
 * they were polled and by how much later than its stamp each of them may have left. The thread may have lost its core
 * in between, and nobody else knows.
 *
 * <p>A frame bears the time of its poll ({@code t1}), and its acknowledgement brings that back. Times are the low 32
 * bits of the driver's clock. O(log n) per question; no allocation after construction.
 */
final class Handovers {
    private static final int CYCLES = 1_024;
    private static final int MASK = CYCLES - 1;

    private final int[] polledStamps = new int[CYCLES];
    private final int[] slacksNanos = new int[CYCLES];
    /** Cycles noted so far; the latest {@link #CYCLES} of them are remembered, in the order of their time. */
    private long count;

    /** Notes a cycle, whose frames may have left so much later than their stamps say. Later cycles have later times. */
    void add(long polledNanos, long slackNanos) {
        int slot = (int) count & MASK;
        polledStamps[slot] = (int) polledNanos;
        slacksNanos[slot] = (int) Math.min(slackNanos, Integer.MAX_VALUE);
        count++;
    }

    /**
     * {@return how much later than {@code t1} the frame that bears it may have left; 0 where no cycle of then is
     * remembered, and where the driver hands frames over in no time}
     */
    long slackNanos(int t1) {
        long low = Math.max(0, count - CYCLES);
        if (count == 0 || t1 - polledStamps[(int) low & MASK] < 0) {
            return 0;
        }
        long high = count - 1;
        while (low < high) {
            long middle = (low + high + 1) >>> 1;
            if (t1 - polledStamps[(int) middle & MASK] < 0) {
                high = middle - 1;
            } else {
                low = middle;
            }
        }
        return slacksNanos[(int) low & MASK];
    }
}
