package io.weir.transport.protocol.reactive.dx;

import io.weir.transport.protocol.reactive.ExpiringMinimum;

/**
 * How far measurements of one and the same delay lie apart. One instance a flow; O(1) a round trip.
 *
 * <p>Source: DX, section V.B: "The size of the headroom is determined by the level of measurement noise", by its maximum. Samples of a
 * round trip lie apart by noise and by what the queue did. The latter is nothing now and then, and noise is always there: the least range
 * of many round trips is the noise. A queue that stands does not count as noise, however long it is.
 */
final class MeasuredNoise {
    private static final int SAMPLES_MIN = 8;
    private static final int ROUNDS = 128;
    private static final int ROUNDS_MIN = 4;

    private final ExpiringMinimum rangeNanos = new ExpiringMinimum(ROUNDS);
    private long rounds;

    void onRound(DelayRound round) {
        if (round.samples() >= SAMPLES_MIN) {
            rounds++;
            rangeNanos.observe(round.rangeNanos(), rounds);
        }
    }

    /** {@return the noise, 0 until a few round trips have had enough samples} */
    long nanos() {
        return rounds < ROUNDS_MIN ? 0 : rangeNanos.value();
    }
}
