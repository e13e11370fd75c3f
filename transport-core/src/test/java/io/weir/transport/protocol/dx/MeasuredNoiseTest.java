package io.weir.transport.protocol.dx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.pacer.SeededRandom;
import org.junit.jupiter.api.Test;

/** Tests {@link MeasuredNoise}: frames need 1,231 ns, an empty round trip takes 200 us. */
class MeasuredNoiseTest {
    private static final int FRAME_NANOS = 1_231;
    private static final int RTT_NANOS = 200_000;
    private static final int ROUND_NANOS = 400_000;

    private final MeasuredNoise noise = new MeasuredNoise(FRAME_NANOS);
    private final SeededRandom random = new SeededRandom(1);
    private int nowNanos;

    /** Two frames that leave in a row and wait so long, with independent noise in what the receiver notes. */
    private void pair(int firstWaitNanos, int secondWaitNanos, int noiseNanos) {
        nowNanos += ROUND_NANOS;
        sample(nowNanos, firstWaitNanos + off(noiseNanos), 1);
        sample(nowNanos + FRAME_NANOS, secondWaitNanos + off(noiseNanos), 1);
    }

    private int off(int noiseNanos) {
        return (int) random.nextLong(noiseNanos + 1L);
    }

    private void sample(int t1, int lateNanos, int frames) {
        noise.onSample(t1, t1 + RTT_NANOS / 2 + lateNanos, frames, RTT_NANOS + lateNanos, RTT_NANOS);
    }

    @Test
    void nanos_noNoise_isNothingWhateverOthersQueue() {
        for (int i = 0; i < 1_000; i++) {
            int waitNanos = off(300_000);
            // Others may come between the two, but not overtake the second.
            pair(waitNanos, waitNanos + off(20) * FRAME_NANOS, 0);
        }
        assertEquals(0, noise.nanos());
    }

    @Test
    void nanos_queueDrainsBetweenFramesFarApart_isNothing() {
        for (int i = 0; i < 1_000; i++) {
            nowNanos += 100_000;
            sample(nowNanos, i % 2 * 90_000, 1);
        }
        assertEquals(0, noise.nanos());
    }

    @Test
    void nanos_uniformNoise_isNearlyItsRangeHoweverLongTheQueue() {
        for (int i = 0; i < 256; i++) {
            int waitNanos = i % 8 * 20_000;
            pair(waitNanos, waitNanos, 20_000);
        }
        assertTrue(noise.nanos() > 13_000 && noise.nanos() <= 20_000, noise.nanos() + " ns");
    }

    @Test
    void nanos_fewPairs_isTheLargestLackSoFar() {
        pair(5_000, 1_000, 0);
        assertEquals(4_000, (double) noise.nanos(), FRAME_NANOS / 64.0);
        pair(3_000, 2_000, 0);
        assertEquals(4_000, (double) noise.nanos(), FRAME_NANOS / 64.0);
    }

    @Test
    void nanos_noiseEnds_isForgotten() {
        for (int i = 0; i < 1_000; i++) {
            pair(0, 0, i < 100 ? 20_000 : 1_000);
        }
        assertTrue(noise.nanos() <= 1_500, noise.nanos() + " ns");
    }

    @Test
    void nanos_noiseGrows_isFoundWithinAFewBlocks() {
        for (int i = 0; i < 600; i++) {
            pair(0, 0, i < 300 ? 5_000 : 40_000);
        }
        assertTrue(noise.nanos() > 20_000, noise.nanos() + " ns");
    }

    @Test
    void nanos_acknowledgementsOfTwoFrames_compareFramesTwoApart() {
        sample(0, 6_000, 2);
        sample(2 * FRAME_NANOS, 0, 2);
        assertEquals(6_000, (double) noise.nanos(), 2 * FRAME_NANOS / 64.0);
    }

    @Test
    void nanos_receiversClockIsSetBack_isNoMoreThanTheRoundTripAllows() {
        noise.onSample(0, 100_000, 1, RTT_NANOS + 700, RTT_NANOS);
        noise.onSample(FRAME_NANOS, -900_000_000, 1, RTT_NANOS, RTT_NANOS);
        assertEquals(700, noise.nanos());
    }

    @Test
    void onSample_clocksWrap_isNotNoise() {
        for (int i = 0; i < 64; i++) {
            int t1 = Integer.MAX_VALUE - 100 + i * FRAME_NANOS;
            noise.onSample(t1, t1 + 50, 1, RTT_NANOS, RTT_NANOS - 50_000);
        }
        assertEquals(0, noise.nanos());
    }
}
