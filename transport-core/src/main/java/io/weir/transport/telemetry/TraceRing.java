package io.weir.transport.telemetry;

import java.lang.invoke.VarHandle;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The latest frames of a host, in memory that others read: of each its time, direction, length, the reason of its drop
 * and its headers. The oldest is overwritten. One thread writes; a frame costs a copy of its headers, no allocation, no
 * lock, no clock.
 *
 * <p>A slot is written between {@link #begin} and {@link #end}. The count of slots that have begun is raised before
 * anything of the next one is written, the count of those that have ended after all of it. So who copies slot number n
 * of those that have ended, and then finds that no more than n + slots have begun, has it whole.
 */
public final class TraceRing {
    /** Bytes of a slot. */
    public static final int SLOT_BYTES = 192;
    /** Bytes in front of the slots. */
    public static final int HEADER_BYTES = 64;

    /** Where the count of slots stands that have begun. */
    public static final int BEGUN_OFFSET = 0;
    /** Where the count of slots stands that have ended. */
    public static final int ENDED_OFFSET = 8;
    /** Where the machine's time, in nanoseconds since 1970, stands at which the loop's clock was 0. */
    public static final int EPOCH_OFFSET = 16;

    // Within a slot.
    /** The time by the loop's clock. */
    public static final int NANOS_OFFSET = 0;
    /** The frame's length on the link, without framing. */
    public static final int FRAME_BYTES_OFFSET = 8;
    /** How many of its bytes are here: 2 bytes. */
    public static final int KEPT_BYTES_OFFSET = 12;
    /** {@link #RECEIVED} or {@link #SENT}: 1 byte. */
    public static final int DIRECTION_OFFSET = 14;
    /** 1 and the ordinal of the {@link CounterId} for which the frame was dropped, or 0: 1 byte. */
    public static final int REASON_OFFSET = 15;
    /** The frame's first bytes. */
    public static final int FRAME_OFFSET = 16;

    /** The most bytes of a frame that a slot holds. */
    public static final int KEPT_BYTES_MAX = SLOT_BYTES - FRAME_OFFSET;

    /** The direction of a frame that came. */
    public static final byte RECEIVED = 1;
    /** The direction of a frame that left. */
    public static final byte SENT = 2;

    /** The fewest slots of a ring. */
    public static final int SLOTS_MIN = 64;
    /** The most slots of a ring. */
    public static final int SLOTS_MAX = 1 << 20;

    private static final long NANOS_PER_MILLI = 1_000_000;
    /** More than a clock of milliseconds and a short time off the core make. */
    private static final long EPOCH_ERROR_NANOS_MAX = 20_000_000;

    private static final int DIRECTION_SHIFT = (DIRECTION_OFFSET - FRAME_BYTES_OFFSET) * Byte.SIZE;

    /** Kept, for the addresses below are good as long as it is. */
    private final UnsafeBuffer memory;

    private final long headerAddress;
    private final long slotsAddress;
    private final long slotMask;
    /** Slots that have begun. The writer's thread only. */
    private long begun;
    /** Where the latest slot is. The writer's thread only. */
    private long slotAddress;

    /**
     * Creates a ring over memory that is zero.
     *
     * @param memory outside the heap, of {@link #bytes} of a power of two of slots
     */
    public TraceRing(UnsafeBuffer memory) {
        int slots = (memory.capacity() - HEADER_BYTES) / SLOT_BYTES;
        if (memory.byteArray() != null || Integer.bitCount(slots) != 1 || memory.capacity() != bytes(slots)) {
            throw new IllegalArgumentException("memory has " + memory.capacity()
                    + " B, perhaps on the heap; give memory outside it for a power of two of slots");
        }
        this.memory = memory;
        this.headerAddress = memory.addressOffset();
        this.slotsAddress = headerAddress + HEADER_BYTES;
        this.slotMask = slots - 1L;
    }

    /** {@return how many bytes a ring of so many slots takes} */
    public static int bytes(int slots) {
        return HEADER_BYTES + slots * SLOT_BYTES;
    }

    /**
     * Notes when the loop's clock was 0, unless what was noted still holds: so times do not jump with each look at the
     * machine's coarse clock, but with the machine's.
     *
     * @param wallMillis the machine's time, in milliseconds since 1970
     * @param nanos the loop's time
     */
    public void keepEpoch(long wallMillis, long nanos) {
        long epochNanos = wallMillis * NANOS_PER_MILLI - nanos;
        if (Math.abs(epochNanos - epochNanos()) > EPOCH_ERROR_NANOS_MAX) {
            memory.putLongRelease(EPOCH_OFFSET, epochNanos);
        }
    }

    /** {@return the machine's time at which the loop's clock was 0} */
    public long epochNanos() {
        return memory.getLongVolatile(EPOCH_OFFSET);
    }

    /**
     * Begins a slot.
     *
     * @param direction {@link #RECEIVED} or {@link #SENT}
     * @param frameBytes the frame's length, of which {@code keptBytes} from {@code frameAt} on are kept
     * @param frame memory outside the heap that has these bytes
     * @param keptBytes at most {@link #KEPT_BYTES_MAX}
     */
    public void begin(byte direction, long nanos, int frameBytes, UnsafeBuffer frame, int frameAt, int keptBytes) {
        long slot = slotsAddress + (begun & slotMask) * SLOT_BYTES;
        slotAddress = slot;
        begun++;
        UnsafeApi.putLong(null, headerAddress + BEGUN_OFFSET, begun);
        VarHandle.storeStoreFence();
        UnsafeApi.putLong(null, slot + NANOS_OFFSET, nanos);
        // Both lengths, direction and no reason yet, at once; little-endian as all machines that this runs on.
        long lengths = frameBytes | (long) keptBytes << Integer.SIZE;
        UnsafeApi.putLong(null, slot + FRAME_BYTES_OFFSET, lengths | (long) direction << DIRECTION_SHIFT);
        copy(frame.addressOffset() + frameAt, slot + FRAME_OFFSET, keptBytes);
    }

    /** By words, and exactly: what follows may be payload. */
    private static void copy(long from, long to, int bytes) {
        int at = 0;
        for (; at <= bytes - Long.BYTES; at += Long.BYTES) {
            UnsafeApi.putLong(null, to + at, UnsafeApi.getLong(null, from + at));
        }
        for (; at < bytes; at++) {
            UnsafeApi.putByte(null, to + at, UnsafeApi.getByte(null, from + at));
        }
    }

    /**
     * Ends the slot that has begun.
     *
     * @param reason why the frame was dropped, or null
     */
    public void end(CounterId reason) {
        if (reason != null) {
            UnsafeApi.putByte(null, slotAddress + REASON_OFFSET, (byte) (1 + reason.ordinal()));
        }
        UnsafeApi.putLongRelease(null, headerAddress + ENDED_OFFSET, begun);
    }

    /** {@return how many slots have begun; the writer's thread only} */
    public long begunCount() {
        return begun;
    }

    /** {@return how many slots have ended; any thread} */
    public long count() {
        return memory.getLongVolatile(ENDED_OFFSET);
    }
}
