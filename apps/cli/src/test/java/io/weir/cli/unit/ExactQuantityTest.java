package io.weir.cli.unit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Random;
import org.junit.jupiter.api.Test;

/** Tests {@link ExactQuantity}. */
class ExactQuantityTest {
    @Test
    void print_quantities_useTheLargestUnitThatFits() {
        assertEquals("1Gbps", ExactQuantity.rate(1_000_000_000));
        assertEquals("990.000001Mbps", ExactQuantity.rate(990_000_001));
        assertEquals("384.5KB", ExactQuantity.size(384_500));
        assertEquals("84B", ExactQuantity.size(84));
        assertEquals("0B", ExactQuantity.size(0));
        assertEquals("25us", ExactQuantity.duration(25_000));
        assertEquals("100s", ExactQuantity.duration(100_000_000_000L));
        assertEquals("1%", ExactQuantity.share(10_000));
        assertEquals("0.0001%", ExactQuantity.share(1));
        assertEquals("100%", ExactQuantity.share(1_000_000));
    }

    @Test
    void print_anything_readsBackAsItself() {
        Random random = new Random(1);
        for (int i = 0; i < 10_000; i++) {
            long number = 1 + (random.nextLong() >>> (25 + random.nextInt(38)));
            assertEquals(number, Rates.parse(ExactQuantity.rate(number)));
            assertEquals(number, Sizes.parse(ExactQuantity.size(number)));
            assertEquals(number, Durations.parse(ExactQuantity.duration(number)));
            int ppm = random.nextInt(1_000_001);
            assertEquals(ppm, Fractions.parsePpm(ExactQuantity.share(ppm)));
        }
    }
}
