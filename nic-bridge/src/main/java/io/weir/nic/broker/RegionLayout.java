package io.weir.nic.broker;

import org.agrona.BitUtil;

/**
 * Where the parts of a shared region lie: two rings, each of three counters and equal slots. Both sides compute it from
 * the same two numbers.
 *
 * @param slotCount slots of each ring, a power of two
 * @param frameBytesMax the longest frame
 */
public record RegionLayout(int slotCount, int frameBytesMax) {
    /** Counters lie two cache lines apart, so that neither side takes the other's line away. */
    static final int APART_BYTES = 2 * BitUtil.CACHE_LINE_LENGTH;

    /** Frames written ever; the writer's. */
    static final int WRITTEN = 0;
    /** Frames read ever; the reader's. */
    static final int READ = APART_BYTES;
    /** 1 while the reader sleeps and wants the bell, else 0. The reader sets it, either side clears it. */
    static final int WAKE = 2 * APART_BYTES;

    static final int SLOTS = 3 * APART_BYTES;
    /** Where a slot has its frame, behind the frame's length. */
    static final int FRAME = Integer.BYTES;

    private static final int SLOT_COUNT_MAX = 1 << 16;
    private static final int FRAME_BYTES_MIN = 64;
    private static final int FRAME_BYTES_MAX = 1 << 16;
    private static final long PAGE_BYTES = 4096;

    /** Refuses what no region has. */
    public RegionLayout {
        if (!isPossible(slotCount, frameBytesMax)) {
            throw new IllegalArgumentException("a region has a power of two of slots up to " + SLOT_COUNT_MAX
                    + ", and frames of " + FRAME_BYTES_MIN + ".." + FRAME_BYTES_MAX + " bytes; not " + slotCount
                    + " slots of " + frameBytesMax);
        }
    }

    /** {@return whether there are such regions} */
    public static boolean isPossible(int slotCount, int frameBytesMax) {
        return BitUtil.isPowerOfTwo(slotCount)
                && slotCount <= SLOT_COUNT_MAX
                && frameBytesMax >= FRAME_BYTES_MIN
                && frameBytesMax <= FRAME_BYTES_MAX
                && regionBytes(slotCount, frameBytesMax) <= Integer.MAX_VALUE;
    }

    /** {@return from one slot to the next: an odd number of cache lines, which spreads slots over a cache's sets} */
    int slotBytes() {
        return slotBytes(frameBytesMax);
    }

    private static int slotBytes(int frameBytesMax) {
        int lines = BitUtil.align(frameBytesMax + FRAME, BitUtil.CACHE_LINE_LENGTH) / BitUtil.CACHE_LINE_LENGTH;
        return (lines | 1) * BitUtil.CACHE_LINE_LENGTH;
    }

    private static long ringBytes(int slotCount, int frameBytesMax) {
        long bytes = SLOTS + (long) slotCount * slotBytes(frameBytesMax);
        return (bytes + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
    }

    private static long regionBytes(int slotCount, int frameBytesMax) {
        return 2 * ringBytes(slotCount, frameBytesMax);
    }

    /** {@return bytes of a ring, a whole number of pages} */
    int ringBytes() {
        return (int) ringBytes(slotCount, frameBytesMax);
    }

    /** {@return bytes of both rings} */
    int regionBytes() {
        return (int) regionBytes(slotCount, frameBytesMax);
    }
}
