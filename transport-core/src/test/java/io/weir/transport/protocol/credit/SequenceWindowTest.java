package io.weir.transport.protocol.credit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.pacer.SeededRandom;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests {@link SequenceWindow}, against the set of all numbers seen. */
class SequenceWindowTest {
    @Test
    void accept_zeroOrNegative_isRefused() {
        SequenceWindow window = new SequenceWindow(64);
        assertFalse(window.accept(0));
        assertFalse(window.accept(-5));
        assertEquals(0, window.highest());
    }

    @Test
    void accept_edgeOfTheWindow_isExact() {
        SequenceWindow window = new SequenceWindow(64);
        assertTrue(window.accept(1_000));
        assertTrue(window.accept(937));
        assertFalse(window.accept(936), "too old to tell");
        assertFalse(window.accept(937), "seen");
    }

    @Test
    void accept_longJump_forgetsWhatWasBefore() {
        SequenceWindow window = new SequenceWindow(64);
        for (int i = 1; i <= 64; i++) {
            assertTrue(window.accept(i));
        }
        assertTrue(window.accept(1L << 40));
        assertTrue(window.accept((1L << 40) - 63));
    }

    @Test
    void accept_random_matchesASet() {
        SeededRandom random = new SeededRandom(3);
        for (int size : new int[] {64, 128, 1024}) {
            SequenceWindow window = new SequenceWindow(size);
            Set<Long> seen = new HashSet<>();
            long highest = 0;
            for (int i = 0; i < 50_000; i++) {
                int jump = random.nextInt(50) == 0 ? 3 * size : 20;
                long sequence = highest - random.nextInt(2 * size) + random.nextInt(2 * size + jump);
                boolean isNew = sequence > 0 && sequence > highest - size && seen.add(sequence);
                assertEquals(isNew, window.accept(sequence), "number " + sequence + " after " + highest);
                highest = Math.max(highest, sequence);
                assertEquals(highest, window.highest());
            }
        }
    }

    @Test
    void startAt_lower_forgetsWhatWasSeen() {
        SequenceWindow window = new SequenceWindow(64);
        assertTrue(window.accept(5));
        assertTrue(window.accept(1_000));
        assertTrue(window.isBelow(936));
        assertFalse(window.isBelow(937));
        assertFalse(window.isBelow(0));
        window.startAt(10);
        assertTrue(window.accept(10));
        assertEquals(10, window.highest());
        assertFalse(window.accept(10));
        assertTrue(window.accept(5));
        assertTrue(window.accept(11));
    }

    @Test
    void constructor_badSize_isRefused() {
        assertThrows(IllegalArgumentException.class, () -> new SequenceWindow(32));
        assertThrows(IllegalArgumentException.class, () -> new SequenceWindow(100));
    }
}
