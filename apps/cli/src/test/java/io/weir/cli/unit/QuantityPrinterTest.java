package io.weir.cli.unit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Random;
import org.junit.jupiter.api.Test;

/** Tests {@link QuantityPrinter}. */
class QuantityPrinterTest {
    @Test
    void print_quantities_useTheLargestUnitThatFits() {
        assertEquals("1Gbps", QuantityPrinter.rate(1_000_000_000));
        assertEquals("990.000001Mbps", QuantityPrinter.rate(990_000_001));
        assertEquals("384.5KB", QuantityPrinter.size(384_500));
        assertEquals("84B", QuantityPrinter.size(84));
        assertEquals("0B", QuantityPrinter.size(0));
        assertEquals("25us", QuantityPrinter.duration(25_000));
        assertEquals("100s", QuantityPrinter.duration(100_000_000_000L));
        assertEquals("1%", QuantityPrinter.share(10_000));
        assertEquals("0.0001%", QuantityPrinter.share(1));
        assertEquals("100%", QuantityPrinter.share(1_000_000));
    }

    @Test
    void print_anything_readsBackAsItself() {
        Random random = new Random(1);
        for (int i = 0; i < 10_000; i++) {
            long number = 1 + (random.nextLong() >>> (25 + random.nextInt(38)));
            assertEquals(number, Rates.parse(QuantityPrinter.rate(number)));
            assertEquals(number, Sizes.parse(QuantityPrinter.size(number)));
            assertEquals(number, Durations.parse(QuantityPrinter.duration(number)));
            int ppm = random.nextInt(1_000_001);
            assertEquals(ppm, Fractions.parsePpm(QuantityPrinter.share(ppm)));
        }
    }
}
