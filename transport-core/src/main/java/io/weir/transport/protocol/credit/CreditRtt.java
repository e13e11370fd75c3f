package io.weir.transport.protocol.credit;

/**
 * A receiver's round-trip time, from the credits whose send times it remembers: a credit has no room for a time stamp,
 * and its data echoes its number.
 *
 * <p>Only a few credits are timed at once, spread over a round trip, so that the memory is bounded whatever the rate. A
 * timed credit that was lost, or overtaken, gives no sample. What is measured, the host's other flows learn too.
 */
final class CreditRtt {
    private static final int PROBES = 16;
    private static final int PROBES_PER_RTT = 8;
    /** The fewest links on a path with a switch. */
    private static final int LINKS_MIN = 2;

    private final HostRtt host;
    /** What a data frame takes on a link like this host's, at least 1. */
    private final long frameNanos;

    private final long[] sequences = new long[PROBES];
    private final long[] sentNanos = new long[PROBES];
    private int head;
    private int count;
    private long smoothedNanos;
    /** The round trip of the handshake, 0 if unknown: the guess until credits have measured one. */
    private long handshakeNanos;

    /**
     * Creates one that has measured nothing.
     *
     * @param frameNanos what a data frame takes on a link like this host's, at least 1
     */
    CreditRtt(HostRtt host, long frameNanos) {
        this.host = host;
        this.frameNanos = frameNanos;
    }

    /** Notes what the handshake took. */
    void onHandshake(long rttNanos) {
        handshakeNanos = rttNanos;
    }

    /** Notes a credit that leaves now. */
    void onSent(long sequence, long nowNanos) {
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
    void onEcho(long sequence, long nowNanos) {
        while (count > 0 && sequences[head] <= sequence) {
            if (sequences[head] == sequence) {
                sample(nowNanos - sentNanos[head]);
            }
            head = (head + 1) & (PROBES - 1);
            count--;
        }
        if (smoothedNanos > 0) {
            host.onSample(smoothedNanos);
        }
    }

    /** Forgets the credits in flight: no echo will come. */
    void forgetProbes() {
        count = 0;
    }

    private void sample(long rttNanos) {
        // An EWMA of 0.8 and 0.2, the first sample as it is: the authors' code.
        smoothedNanos = smoothedNanos == 0 ? Math.max(1, rttNanos) : smoothedNanos + (rttNanos - smoothedNanos) / 5;
    }

    /** {@return the smoothed round-trip time, or 0 before the first sample} */
    long smoothedNanos() {
        return smoothedNanos;
    }

    /** {@return the smoothed round-trip time, or before the first sample a guess; 0 if nothing tells} */
    long guessNanos() {
        if (smoothedNanos > 0) {
            return smoothedNanos;
        }
        // On a slow link a handshake, whose frames are short, takes less than a credit and its data.
        return handshakeNanos > 0 ? handshakeNanos + LINKS_MIN * frameNanos : host.smoothedNanos();
    }

    /** {@return how many data frames a link like this host's passes in {@link #guessNanos}} */
    long guessFrames() {
        return guessNanos() / frameNanos;
    }
}
