package io.weir.transport.sim.world;

import io.weir.pacer.SeededRandom;
import io.weir.transport.scenario.StampNoise;
import io.weir.transport.sim.StampError;

/**
 * Draws how far stamps are off. A sum of twelve numbers of 16 bits each is near enough to a Gaussian, and its standard
 * deviation is a power of two: integers throughout; allocates nothing.
 */
final class NoisyStamps implements StampError {
    private static final int WORDS = 3;
    private static final int TERMS_PER_WORD = 4;
    private static final int TERM_BITS = 16;
    private static final long TERM_MASK = (1 << TERM_BITS) - 1;
    private static final long SUM_MEAN = WORDS * TERMS_PER_WORD * TERM_MASK / 2;

    private final long deviationNanos;
    private final long nanosMax;
    private final SeededRandom random;

    NoisyStamps(StampNoise noise, SeededRandom random) {
        this.deviationNanos = noise.deviationNanos();
        this.nanosMax = noise.nanosMax();
        this.random = random;
    }

    /**
     * {@return the noise less the time by which the host sees a frame later than it came, which is the most that noise
     * can be}
     */
    @Override
    public long nextNanos() {
        long sum = 0;
        for (int word = 0; word < WORDS; word++) {
            long bits = random.nextLong();
            for (int term = 0; term < TERMS_PER_WORD; term++) {
                sum += bits & TERM_MASK;
                bits >>>= TERM_BITS;
            }
        }
        long noiseNanos = ((sum - SUM_MEAN) * deviationNanos) >> TERM_BITS;
        return Math.max(-nanosMax, Math.min(noiseNanos, nanosMax)) - nanosMax;
    }
}
