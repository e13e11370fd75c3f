package io.weir.pacer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Tests {@link SeededRandom}. */
class SeededRandomTest {
    @Test
    void nextLong_seedZero_isThePublishedSequence() {
        SeededRandom random = new SeededRandom(0);
        assertEquals(0xE220A8397B1DCDAFL, random.nextLong());
        assertEquals(0x6E789E6AA1B965F4L, random.nextLong());
    }

    @Test
    void nextIntInclusive_manyDraws_coversTheRangeEvenly() {
        SeededRandom random = new SeededRandom(1);
        int[] counts = new int[9];
        for (int i = 0; i < 90_000; i++) {
            counts[random.nextIntInclusive(84, 92) - 84]++;
        }
        for (int count : counts) {
            assertTrue(count > 9_500 && count < 10_500, "count " + count);
        }
    }

    @Test
    void nextLong_bound_staysBelow() {
        SeededRandom random = new SeededRandom(3);
        for (int i = 0; i < 10_000; i++) {
            long value = random.nextLong(1L << 40);
            assertTrue(value >= 0 && value < 1L << 40);
        }
    }

    @Test
    void split_child_differsFromParent() {
        SeededRandom parent = new SeededRandom(5);
        SeededRandom child = parent.split();
        assertNotEquals(parent.nextLong(), child.nextLong());
    }

    @Test
    void split_seed1_givesTheSequenceThatItAlwaysGave() {
        assertEquals(-7000669617551271254L, new SeededRandom(1).split().nextLong());
    }

    @Test
    void chancePpm_manyCalls_areTrueInTheirShare() {
        SeededRandom random = new SeededRandom(3);
        int count = 0;
        for (int i = 0; i < 100_000; i++) {
            assertFalse(random.chancePpm(0));
            assertTrue(random.chancePpm(1_000_000));
            count += random.chancePpm(250_000) ? 1 : 0;
        }
        assertEquals(25_000, count, 500);
    }
}
