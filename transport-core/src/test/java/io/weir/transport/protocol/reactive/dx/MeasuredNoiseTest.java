package io.weir.transport.protocol.reactive.dx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.pacer.SeededRandom;
import org.junit.jupiter.api.Test;

/** Tests {@link MeasuredNoise}. */
class MeasuredNoiseTest {
    private final MeasuredNoise noise = new MeasuredNoise();

    /** A round trip of 16 frames with a queue of this length, on average, that varies, and noise. */
    private void round(long queueNanos, long variationNanos, long noiseNanos, SeededRandom random) {
        DelayRound round = new DelayRound();
        for (int i = 0; i < 16; i++) {
            round.add(queueNanos + i * variationNanos / 15 + random.nextLong(noiseNanos + 1), 1);
        }
        noise.onRound(round);
    }

    @Test
    void nanos_noNoise_isNothingHoweverLongTheQueue() {
        SeededRandom random = new SeededRandom(1);
        for (int i = 0; i < 64; i++) {
            round(300_000, i % 8 * 5_000L, 0, random);
        }
        assertEquals(0, noise.nanos());
    }

    @Test
    void nanos_uniformNoise_isNearlyItsRange() {
        SeededRandom random = new SeededRandom(1);
        for (int i = 0; i < 64; i++) {
            round(50_000, i % 8 * 5_000L, 20_000, random);
        }
        assertTrue(noise.nanos() > 10_000 && noise.nanos() <= 20_000, noise.nanos() + " ns");
    }

    @Test
    void nanos_noiseEnds_isForgotten() {
        SeededRandom random = new SeededRandom(1);
        for (int i = 0; i < 300; i++) {
            round(0, 0, i < 10 ? 20_000 : 5_000, random);
        }
        assertTrue(noise.nanos() <= 5_000, noise.nanos() + " ns");
    }

    @Test
    void nanos_noiseGrows_isFoundWithinItsSpan() {
        SeededRandom random = new SeededRandom(1);
        for (int i = 0; i < 300; i++) {
            round(0, 0, i < 100 ? 5_000 : 40_000, random);
        }
        assertTrue(noise.nanos() > 20_000, noise.nanos() + " ns");
    }

    @Test
    void onRound_fewSamples_tellsNothing() {
        DelayRound round = new DelayRound();
        for (int i = 0; i < 100; i++) {
            round.clear();
            round.add(0, 1);
            round.add(9_000, 1);
            noise.onRound(round);
        }
        assertEquals(0, noise.nanos());
    }
}
