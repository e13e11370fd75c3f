package io.weir.transport.protocol.credit;

import java.util.Arrays;

/**
 * Which of the latest sequence numbers have been seen: a sliding bitmap, as anti-replay windows use. O(1) amortized, no
 * allocation.
 */
public final class SequenceWindow {
    private final long[] bits;
    private final int size;
    private long highest;

    /** Creates a window over the {@code size} latest numbers, a power of two of at least 64. Numbers start at 1. */
    public SequenceWindow(int size) {
        if (Integer.bitCount(size) != 1 || size < Long.SIZE) {
            throw new IllegalArgumentException("size=" + size + " must be a power of two of at least 64");
        }
        this.size = size;
        this.bits = new long[size / Long.SIZE];
    }

    /** {@return whether {@code sequence} is new, noting it; false when it was seen or is too old to tell} */
    public boolean accept(long sequence) {
        if (sequence > highest) {
            clearBetween(highest, sequence);
            highest = sequence;
        } else if (sequence <= 0 || sequence <= highest - size) {
            return false;
        }
        int index = (int) (sequence & (size - 1));
        long bit = 1L << index;
        boolean isNew = (bits[index >>> 6] & bit) == 0;
        bits[index >>> 6] |= bit;
        return isNew;
    }

    /** {@return whether {@code sequence} is a number, but too old to tell whether it was seen} */
    public boolean isBelow(long sequence) {
        return sequence > 0 && sequence <= highest - size;
    }

    /** Forgets all numbers seen: the window ends before {@code sequence}, which is the next that is new. */
    public void startAt(long sequence) {
        Arrays.fill(bits, 0);
        highest = sequence - 1;
    }

    /** {@return the highest number seen, 0 before the first} */
    public long highest() {
        return highest;
    }

    private void clearBetween(long from, long to) {
        if (to - from >= size) {
            Arrays.fill(bits, 0);
            return;
        }
        long next = from + 1;
        while (next <= to) {
            int index = (int) (next & (size - 1));
            int count = (int) Math.min(to - next + 1, Long.SIZE - (index & (Long.SIZE - 1)));
            // All bits of one word at once: a shift by a word's size would be none.
            bits[index >>> 6] &= ~(-1L >>> (Long.SIZE - count) << index);
            next += count;
        }
    }
}
