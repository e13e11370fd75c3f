package io.weir.transport.protocol.credit;

/**
 * A receiver's round-trip time, from the credits whose send times it remembers: a credit has no room for a time stamp,
 * and its data echoes its number.
 *
 * <p>Only a few credits are timed at once, spread over a round trip, so that the memory is bounded whatever the rate. A
 * timed credit that was lost, or overtaken, gives no sample.
 */
public final class CreditRtt {
    private static final int PROBES = 16;
    private static final int PROBES_PER_RTT = 8;

    private final long[] sequences = new long[PROBES];
    private final long[] sentNanos = new long[PROBES];
    private int head;
    private int count;
    private long smoothedNanos;

    /** Notes a credit that leaves now. */
    public void onSent(long sequence, long nowNanos) {
        if (count == PROBES) {
            return;
        }
        int last = (head + count - 1) & (PROBES - 1);
        if (count > 0 && nowNanos - sentNanos[last] < smoothedNanos / PROBES_PER_RTT) {
            return;
        }
        int slot = (head + count++) & (PROBES - 1);
        sequences[slot] = sequence;
        sentNanos[slot] = nowNanos;
    }

    /** Notes data that echoes a credit. */
    public void onEcho(long sequence, long nowNanos) {
        while (count > 0 && sequences[head] <= sequence) {
            if (sequences[head] == sequence) {
                sample(nowNanos - sentNanos[head]);
            }
            head = (head + 1) & (PROBES - 1);
            count--;
        }
    }

    /** Forgets the credits in flight: no echo will come. */
    public void forgetProbes() {
        count = 0;
    }

    private void sample(long rttNanos) {
        // An EWMA of 0.8 and 0.2, the first sample as it is: the authors' code.
        smoothedNanos = smoothedNanos == 0 ? Math.max(1, rttNanos) : smoothedNanos + (rttNanos - smoothedNanos) / 5;
    }

    /** {@return the smoothed round-trip time, or 0 before the first sample} */
    public long smoothedNanos() {
        return smoothedNanos;
    }
}
