package io.weir.cli.unit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Random;
import org.junit.jupiter.api.Test;

/** Tests {@link Exact}. */
class ExactTest {
    @Test
    void print_quantities_useTheLargestUnitThatFits() {
        assertEquals("1Gbps", Exact.rate(1_000_000_000));
        assertEquals("990.000001Mbps", Exact.rate(990_000_001));
        assertEquals("384.5KB", Exact.size(384_500));
        assertEquals("84B", Exact.size(84));
        assertEquals("0B", Exact.size(0));
        assertEquals("25us", Exact.duration(25_000));
        assertEquals("100s", Exact.duration(100_000_000_000L));
        assertEquals("1%", Exact.share(10_000));
        assertEquals("0.0001%", Exact.share(1));
        assertEquals("100%", Exact.share(1_000_000));
    }

    @Test
    void print_anything_readsBackAsItself() {
        Random random = new Random(1);
        for (int i = 0; i < 10_000; i++) {
            long number = 1 + (random.nextLong() >>> (25 + random.nextInt(38)));
            assertEquals(number, Rates.parse(Exact.rate(number)));
            assertEquals(number, Sizes.parse(Exact.size(number)));
            assertEquals(number, Durations.parse(Exact.duration(number)));
            int ppm = random.nextInt(1_000_001);
            assertEquals(ppm, Fractions.parsePpm(Exact.share(ppm)));
        }
    }
}
