package io.weir.cli.perf;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Tests the queue of numbers next to the JDK's. */
class LongRingTest {
    @Test
    void addAndRemove_grownWhileWrapped_keepTheirOrder() {
        LongRing ring = new LongRing();
        Deque<Long> expected = new ArrayDeque<>();
        Random random = new Random(11);
        for (int i = 0; i < 20_000; i++) {
            // More come than go, in the first half.
            if (expected.isEmpty() || random.nextInt(10) < (i < 10_000 ? 6 : 4)) {
                ring.add(i);
                expected.add((long) i);
            } else {
                assertEquals(expected.remove(), ring.remove());
            }
            assertEquals(expected.size(), ring.size());
        }
    }
}
