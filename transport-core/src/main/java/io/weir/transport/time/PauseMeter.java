package io.weir.transport.time;

import java.util.Arrays;

/**
 * How long the pauses of a driver were lately: how many, their median, their 99th percentile and the longest, over the
 * last one to two windows of a second. Lengths are kept in classes an eighth wide, and a class is told by its upper
 * end, so that no answer is too small.
 *
 * <p>Owned by one thread. Recording is O(1); the answers are computed when asked for, over some hundred classes. No
 * allocation.
 */
public final class PauseMeter {
    /** How long a window is; answers are about the current window and the one before. */
    public static final long WINDOW_NANOS = 1_000_000_000L;

    /** An eighth: enough for time-outs, in an array that fits the cache. */
    private static final LogClasses CLASSES = new LogClasses(3);

    /** Pauses of the current window by length. */
    private int[] current = new int[CLASSES.count()];
    /** Pauses of the window before by length. */
    private int[] previous = new int[CLASSES.count()];
    /** When the current window began. */
    private long startNanos;
    /** Longest pause of the current window, in nanoseconds. */
    private long currentLongestNanos;
    /** Longest pause of the window before, in nanoseconds. */
    private long previousLongestNanos;
    /** Pauses in both windows. */
    private int count;
    /** Pauses in the current window. */
    private int currentCount;

    /** Creates a meter without pauses. */
    public PauseMeter() {}

    /** Notes a pause that has just ended. */
    public void record(long pauseNanos, long nowNanos) {
        roll(nowNanos);
        current[CLASSES.of(pauseNanos)]++;
        currentLongestNanos = Math.max(currentLongestNanos, pauseNanos);
        currentCount++;
        count++;
    }

    /** Starts a new window if the current one is over; harmless at any time. */
    private void roll(long nowNanos) {
        if (nowNanos - startNanos < WINDOW_NANOS) {
            return;
        }
        boolean isNext = nowNanos - startNanos < 2 * WINDOW_NANOS;
        int[] emptied = previous;
        previous = current;
        current = emptied;
        Arrays.fill(current, 0);
        if (!isNext) {
            Arrays.fill(previous, 0);
        }
        previousLongestNanos = isNext ? currentLongestNanos : 0;
        count = isNext ? currentCount : 0;
        currentLongestNanos = 0;
        currentCount = 0;
        startNanos = isNext ? startNanos + WINDOW_NANOS : nowNanos;
    }

    /** {@return how many pauses there were} */
    public int count(long nowNanos) {
        roll(nowNanos);
        return count;
    }

    /** {@return the longest pause, or 0 without any} */
    public long longestNanos(long nowNanos) {
        roll(nowNanos);
        return Math.max(currentLongestNanos, previousLongestNanos);
    }

    /**
     * {@return the length that {@code percent} of the pauses did not exceed, at most an eighth too long; 0 without any}
     */
    public long percentileNanos(int percent, long nowNanos) {
        roll(nowNanos);
        long wanted = ((long) count * percent + 99) / 100;
        long seen = 0;
        for (int i = 0; wanted > 0 && i < current.length; i++) {
            seen += current[i] + previous[i];
            if (seen >= wanted) {
                return Math.min(CLASSES.largest(i), longestNanos(nowNanos));
            }
        }
        return 0;
    }
}
