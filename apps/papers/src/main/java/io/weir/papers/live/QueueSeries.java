package io.weir.papers.live;

import io.weir.transport.node.TimedTask;
import io.weir.transport.switching.SwitchPort;

/**
 * What a port's data queue holds, on average over each millisecond, asked every 20 us by the loop that owns it: a Node
 * without ports. It notes wall-clock time, so that another loop's measurements find their millisecond.
 */
final class QueueSeries implements TimedTask {
    private static final long ASK_NANOS = 20_000;

    private final SwitchPort port;
    private final long startNanos;
    private final long[] sums;
    private final int[] counts;
    private long nextNanos;

    /** Creates a series of so many milliseconds, which begin at {@code startNanos} by {@link System#nanoTime}. */
    QueueSeries(SwitchPort port, long startNanos, int milliseconds) {
        this.port = port;
        this.startNanos = startNanos;
        this.sums = new long[milliseconds];
        this.counts = new int[milliseconds];
    }

    /** {@return the millisecond of a time by {@link System#nanoTime}} */
    int millisecondOf(long wallNanos) {
        return (int) ((wallNanos - startNanos) / 1_000_000);
    }

    /** {@return the mean of a millisecond in bytes, or NaN when it was not asked} */
    double meanBytes(int millisecond) {
        return millisecond >= counts.length || counts[millisecond] == 0
                ? Double.NaN
                : (double) sums[millisecond] / counts[millisecond];
    }

    @Override
    public void onTimeout(long nowNanos) {
        nextNanos = nowNanos + ASK_NANOS;
        int index = millisecondOf(System.nanoTime());
        if (index < sums.length) {
            sums[index] += port.dataQueueBytes();
            counts[index]++;
        }
    }

    @Override
    public long nextTimeoutNanos() {
        return nextNanos;
    }
}
