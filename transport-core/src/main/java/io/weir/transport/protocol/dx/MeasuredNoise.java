package io.weir.transport.protocol.dx;

/**
 * How far measurements of one and the same delay lie apart. One instance per flow; O(1); no allocation.
 *
 * <p>Source: DX, section V.B: "The size of the headroom is determined by the level of measurement noise", by its
 * maximum.
 *
 * <p>Delays of one round trip differ by noise and by what others queue, and no statistic of them tells which. Two
 * frames that leave in a row do: neither overtakes the other, so that they come at least a frame's time apart, whatever
 * queues there are. What stamps of arrival lack of that is noise for certain. A flow that paces its frames has to send
 * some in a row for it ({@link FrameRuns}).
 *
 * <p>The noise is the largest lack of 64 such pairs, averaged over the latest such blocks: flows in the same noise get
 * nearly the same, which those with the larger headroom would otherwise use against the others.
 */
final class MeasuredNoise {
    private static final int PAIRS = 64;
    private static final int AVERAGED_BLOCKS = 4;
    /** Clocks may run this much slower than they should, and count whole nanoseconds. */
    private static final int TOLERANCE_SHARE = 64;

    private final long frameNanos;
    private final long apartNanosMin;
    // The sample before: departure and arrival by the two clocks, low 32 bits of nanoseconds, and its round trip.
    private int latestT1;
    private int latestT2;
    private long latestRttNanos;
    // The block at hand: the largest lack so far, never negative, of so many pairs, less than PAIRS.
    private long lackNanosMax;
    private int pairs;
    // Whether a block is complete, and the average of the latest; written when one is.
    private boolean isBlockKnown;
    private long averageNanos;

    /** Creates one for a flow whose full frames need so long on its host's link. */
    MeasuredNoise(long frameNanos) {
        this.frameNanos = frameNanos;
        apartNanosMin = frameNanos - frameNanos / TOLERANCE_SHARE;
    }

    /**
     * A full frame was acknowledged, as the last of {@code frames}.
     *
     * @param t1 when it left
     * @param t2 when it came, by the receiver's clock
     * @param rttNanos its round trip
     * @param baseRttNanos the shortest round trip
     */
    void onSample(int t1, int t2, int frames, long rttNanos, long baseRttNanos) {
        int leftApartNanos = t1 - latestT1;
        if (leftApartNanos > 0 && leftApartNanos < (frames + 1) * frameNanos) {
            long lackNanos = frames * apartNanosMin - (t2 - latestT2);
            // A receiver's clock that is set shows here as well, but not in the round trip.
            onPair(Math.min(lackNanos, latestRttNanos - baseRttNanos));
        }
        latestT1 = t1;
        latestT2 = t2;
        latestRttNanos = rttNanos;
    }

    private void onPair(long lackNanos) {
        lackNanosMax = Math.max(lackNanosMax, lackNanos);
        pairs++;
        if (pairs == PAIRS) {
            averageNanos = isBlockKnown
                    ? ((AVERAGED_BLOCKS - 1) * averageNanos + lackNanosMax) / AVERAGED_BLOCKS
                    : lackNanosMax;
            isBlockKnown = true;
            lackNanosMax = 0;
            pairs = 0;
        }
    }

    /** {@return the noise; of the first pairs the largest lack so far} */
    long nanos() {
        return isBlockKnown ? averageNanos : lackNanosMax;
    }
}
