package io.weir.papers.live;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.pacer.SeededRandom;
import io.weir.transport.host.Stamping;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests {@link VirtualBackToBack} and {@link CycleLengths}. */
class VirtualBackToBackTest {
    private static Noise noise(Stamping stamping, long intervalNanos) {
        SeededRandom left = new SeededRandom(1);
        SeededRandom right = new SeededRandom(2);
        return Noise.of(VirtualBackToBack.polled(
                stamping,
                () -> intervalNanos / 2 + left.nextLong(intervalNanos),
                () -> intervalNanos / 2 + right.nextLong(intervalNanos)));
    }

    @Test
    void polled_promptHosts_seeTheTimeOfTheFramesAlone() {
        Noise noise = Noise.of(VirtualBackToBack.polled(Stamping.BURST_CONTROL, () -> 50, () -> 50));
        assertTrue(noise.count() > 10_000, noise.toString());
        // Two serializations at 10 Gbps: 1.23 us forth, 0.1 us back.
        assertEquals(1.35, noise.min(), 0.1);
        assertTrue(noise.deviation() < 0.05, noise.toString());
    }

    @Test
    void polled_looksFartherApart_addNoise() {
        Noise fine = noise(Stamping.BURST_CONTROL, 2_000);
        Noise coarse = noise(Stamping.BURST_CONTROL, 20_000);
        assertTrue(coarse.deviation() > 5 * fine.deviation(), coarse + " next to " + fine);
    }

    @Test
    void polled_burstControl_takesTheRingsQueueAway() {
        Noise raw = noise(Stamping.RAW, 5_000);
        Noise controlled = noise(Stamping.BURST_CONTROL, 5_000);
        assertTrue(raw.min() > 5 * controlled.min(), raw + " next to " + controlled);
    }

    @Test
    void kernelLike_variesAsInThePaper() {
        Noise noise = Noise.of(VirtualBackToBack.kernelLike());
        assertEquals(80.7, noise.deviation(), 15);
        assertEquals(111, noise.middleHalf(), 20);
    }

    @Test
    void smoothed_alternatingRoundTrips_varyLess() {
        List<Double> states = VirtualBackToBack.smoothed(List.of(8.0, 16.0, 8.0, 16.0, 8.0, 16.0, 8.0, 16.0));
        assertEquals(1, states.size());
        assertEquals(10.8, states.get(0), 0.01);
    }

    @Test
    void drawn_cycles_areThoseThatWere() {
        CycleLengths lengths = new CycleLengths();
        lengths.add(1_000);
        lengths.add(3_000);
        assertEquals(2, lengths.meanMicros());
        long sum = 0;
        var drawn = lengths.drawn(new SeededRandom(1));
        for (int i = 0; i < 1_000; i++) {
            sum += drawn.nextNanos();
        }
        assertEquals(2_000, sum / 1_000.0, 150);
    }
}
