package io.weir.transport.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.pacer.SeededRandom;
import java.util.BitSet;
import org.junit.jupiter.api.Test;

/** Tests {@link RangeSet}, against a bit set for whole sequences of operations. */
class RangeSetTest {
    private static final int SPACE = 200;

    @Test
    void add_touchingRanges_becomeOne() {
        RangeSet set = new RangeSet(4);
        assertTrue(set.add(0, 10));
        assertTrue(set.add(20, 30));
        assertTrue(set.add(10, 20));
        assertEquals(1, set.size());
        assertEquals(0, set.start(0));
        assertEquals(30, set.end(0));
        assertEquals(30, set.bytes());
    }

    @Test
    void add_full_changesNothingAndSaysSo() {
        RangeSet set = new RangeSet(2);
        set.add(0, 10);
        set.add(20, 30);
        assertFalse(set.add(40, 50));
        assertEquals(20, set.bytes());
        assertTrue(set.add(5, 25), "what joins ranges needs no room");
        assertEquals(1, set.size());
    }

    @Test
    void remove_middleOfARangeWhenFull_changesNothingAndSaysSo() {
        RangeSet set = new RangeSet(1);
        set.add(0, 10);
        assertFalse(set.remove(4, 6));
        assertEquals(10, set.bytes());
        assertTrue(set.remove(0, 6));
        assertEquals(4, set.bytes());
    }

    @Test
    void remove_emptyRange_splitsNothing() {
        RangeSet set = new RangeSet(4);
        set.add(0, 10);
        assertTrue(set.remove(5, 5));
        assertTrue(set.remove(7, 3));
        assertEquals(1, set.size());
        assertEquals(10, set.bytes());
    }

    @Test
    void operations_random_matchABitSet() {
        SeededRandom random = new SeededRandom(23);
        for (int bound : new int[] {1, 2, 5, 64}) {
            RangeSet set = new RangeSet(bound);
            BitSet model = new BitSet();
            for (int i = 0; i < 20_000; i++) {
                operate(set, model, random);
                requireEqual(set, model, bound);
            }
        }
    }

    private static void operate(RangeSet set, BitSet model, SeededRandom random) {
        int start = random.nextInt(SPACE);
        int end = Math.min(SPACE, start + random.nextInt(20));
        switch (random.nextInt(10)) {
            case 0, 1, 2, 3 -> {
                if (set.add(start, end)) {
                    model.set(start, end);
                }
            }
            case 4, 5, 6, 7 -> {
                if (set.remove(start, end)) {
                    model.clear(start, end);
                } else {
                    // What stands before the range that could not be split may be gone; nothing else.
                    BitSet now = toBits(set);
                    BitSet lost = (BitSet) model.clone();
                    lost.andNot(now);
                    assertTrue(lost.nextSetBit(0) < 0, "a removal that failed has removed something");
                }
            }
            case 8 -> {
                set.removeBelow(start);
                model.clear(0, start);
            }
            default ->
                assertEquals(start < end && model.nextClearBit(start) >= end, start < end && set.contains(start, end));
        }
    }

    private static BitSet toBits(RangeSet set) {
        BitSet bits = new BitSet();
        for (int i = 0; i < set.size(); i++) {
            bits.set((int) set.start(i), (int) set.end(i));
        }
        return bits;
    }

    private static void requireEqual(RangeSet set, BitSet model, int bound) {
        assertEquals(model, toBits(set));
        assertEquals(model.cardinality(), set.bytes());
        assertEquals(model.isEmpty(), set.isEmpty());
        assertTrue(set.size() <= bound);
        for (int i = 1; i < set.size(); i++) {
            assertTrue(set.start(i) > set.end(i - 1), "ranges rise and do not touch");
        }
    }
}
