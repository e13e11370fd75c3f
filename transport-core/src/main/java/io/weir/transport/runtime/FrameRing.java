package io.weir.transport.runtime;

import io.weir.transport.frame.Frame;
import java.util.Arrays;
import org.agrona.BitUtil;
import org.agrona.BufferUtil;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Copies of frames on their way from one thread to another: one slot for each, first in, first out. One thread writes,
 * one reads; O(1), no allocation.
 *
 * <p>Counters lie in the buffer, two cache lines apart, so that neither thread takes the other's line away. Each thread
 * reads its own counter without a fence.
 *
 * <p>Design notes: a ring of records of any length, like Agrona's, has to be cleared behind its reader, which costs as
 * much as the copy.
 */
final class FrameRing {
    /** Rings of which there are none. */
    static final FrameRing[] NO_RINGS = {};

    private static final int APART_BYTES = 2 * BitUtil.CACHE_LINE_LENGTH;
    /** Frames written ever; the writer's. */
    private static final int WRITTEN = 0;
    /** Frames read ever; the reader's. */
    private static final int READ = APART_BYTES;
    /** What the reader has seen of {@link #WRITTEN}: it looks again when it has come there. The reader's. */
    private static final int WRITTEN_SEEN = READ + Long.BYTES;

    private static final int SLOTS = 2 * APART_BYTES;

    // A slot: the frame's length, what is left free so that stamps lie at even addresses, its stamp, the frame.
    private static final int STAMP = Long.BYTES;
    private static final int BYTES = 2 * Long.BYTES;
    private static final long NO_STAMP = Long.MIN_VALUE;

    /** For copies of frames, which it checks. */
    private final UnsafeBuffer memory;
    /** Of the memory, for counters and slots, whose places need no check. */
    private final long address;

    private final int slotBytes;
    private final int slotCount;
    private final int mask;
    private final int frameBytesMax;
    /** Whether nothing will be written any more. Set by the writer, after its last frame. */
    private volatile boolean isEnded;

    /** Creates a ring of {@code slotCount} slots, a power of two, for frames of up to {@code frameBytesMax}. */
    FrameRing(int slotCount, int frameBytesMax) {
        if (!BitUtil.isPowerOfTwo(slotCount)) {
            throw new IllegalArgumentException("slotCount=" + slotCount + " must be a power of two");
        }
        this.slotCount = slotCount;
        this.mask = slotCount - 1;
        this.frameBytesMax = frameBytesMax;
        // An odd number of cache lines, so that the slots do not all fall on the same few sets of a cache.
        int lines = BitUtil.align(frameBytesMax + BYTES, BitUtil.CACHE_LINE_LENGTH) / BitUtil.CACHE_LINE_LENGTH;
        this.slotBytes = (lines | 1) * BitUtil.CACHE_LINE_LENGTH;
        this.memory = new UnsafeBuffer(
                BufferUtil.allocateDirectAligned(SLOTS + slotCount * slotBytes, BitUtil.CACHE_LINE_LENGTH));
        this.address = memory.addressOffset();
    }

    /** {@return a copy of {@code rings} that has one more} Readers see the old ones or the new, never a mixture. */
    static FrameRing[] with(FrameRing[] rings, FrameRing added) {
        FrameRing[] all = Arrays.copyOf(rings, rings.length + 1);
        all[rings.length] = added;
        return all;
    }

    /** {@return a copy of {@code rings} that does not have {@code removed}} */
    static FrameRing[] without(FrameRing[] rings, FrameRing removed) {
        return Arrays.stream(rings).filter(ring -> !ring.equals(removed)).toArray(FrameRing[]::new);
    }

    /** {@return the longest frame that may be written} */
    int frameBytesMax() {
        return frameBytesMax;
    }

    /** {@return how many frames may be written; the writer alone may ask} */
    int freeCount() {
        return slotCount - (int) (get(WRITTEN) - getVolatile(READ));
    }

    /** Writes a copy, which has no stamp. There must be room. */
    void write(Frame frame) {
        write(frame, NO_STAMP);
    }

    /** Writes a copy and when the frame came, for a reader with the same clock. There must be room. */
    void write(Frame frame, long stampNanos) {
        long written = get(WRITTEN);
        int slot = slotAt(written);
        UnsafeApi.putInt(null, address + slot, frame.length());
        put(slot + STAMP, stampNanos);
        memory.putBytes(slot + BYTES, frame.buffer(), frame.offset(), frame.length());
        putRelease(WRITTEN, written + 1);
    }

    /** Nothing will be written any more; what was written is still to be read. The writer's. */
    void end() {
        isEnded = true;
    }

    /**
     * {@return whether all that was ever written has been read, and nothing more will come; the reader alone may ask}
     */
    boolean isExhausted() {
        return isEnded && !hasNext();
    }

    /** {@return whether a frame waits; the reader alone may ask} */
    boolean hasNext() {
        long read = get(READ);
        if (get(WRITTEN_SEEN) == read) {
            put(WRITTEN_SEEN, getVolatile(WRITTEN));
        }
        return get(WRITTEN_SEEN) != read;
    }

    /** Copies the next frame, which must be there. */
    void readInto(Frame frame) {
        long read = get(READ);
        int slot = slotAt(read);
        int length = UnsafeApi.getInt(null, address + slot);
        frame.setExtent(0, length);
        frame.buffer().putBytes(0, memory, slot + BYTES, length);
        long stampNanos = get(slot + STAMP);
        if (stampNanos != NO_STAMP) {
            frame.setStampNanos(stampNanos);
        }
        putRelease(READ, read + 1);
    }

    private int slotAt(long number) {
        return SLOTS + ((int) number & mask) * slotBytes;
    }

    private long get(int at) {
        return UnsafeApi.getLong(null, address + at);
    }

    private long getVolatile(int at) {
        return UnsafeApi.getLongVolatile(null, address + at);
    }

    private void put(int at, long value) {
        UnsafeApi.putLong(null, address + at, value);
    }

    private void putRelease(int at, long value) {
        UnsafeApi.putLongRelease(null, address + at, value);
    }
}
