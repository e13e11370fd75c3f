package io.weir.transport.telemetry;

import java.nio.ByteBuffer;
import java.util.List;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * One 64-bit count for each {@link CounterId}, written by the thread that owns the Node, readable by any thread at any
 * time. An increment is a load and an ordered store: about a nanosecond, no allocation, no lock.
 */
public final class Counters {
    private static final CounterId[] IDS = CounterId.values();

    /**
     * Memory outside the heap, so that an address alone finds a count: in a file as in memory that nobody else sees.
     * Not an {@code AtomicLongArray}: where the compiler gives up inlining its handles, a count took a fifth of a
     * frame's time.
     */
    private final UnsafeBuffer values;
    /** How far apart two counts are, as a power of two. */
    private final int strideShift;

    /** Counters of which these are the sum, besides their own; none as a rule. */
    private final List<Counters> parts;

    /** Creates counters that are 0. */
    public Counters() {
        this(List.of());
    }

    private Counters(List<Counters> parts) {
        this.values = new UnsafeBuffer(ByteBuffer.allocateDirect(IDS.length * Long.BYTES));
        this.strideShift = Integer.numberOfTrailingZeros(Long.BYTES);
        this.parts = parts;
    }

    /**
     * Creates counters in memory that others read.
     *
     * @param values a direct buffer's memory, in which each count stands at the beginning of its place
     * @param strideBytes the length of a place, a power of two of 8 or more
     */
    public Counters(UnsafeBuffer values, int strideBytes) {
        if (values.byteArray() != null || values.capacity() < (long) IDS.length * strideBytes) {
            throw new IllegalArgumentException("values has " + values.capacity()
                    + " B, perhaps on the heap; give memory outside it for " + IDS.length + " counts");
        }
        if (Integer.bitCount(strideBytes) != 1 || strideBytes < Long.BYTES) {
            throw new IllegalArgumentException("strideBytes=" + strideBytes + " is no power of two of 8 or more");
        }
        this.values = values;
        this.strideShift = Integer.numberOfTrailingZeros(strideBytes);
        this.parts = List.of();
    }

    /** {@return counters that always show the sum of others, which nobody adds to} */
    public static Counters sumOf(List<Counters> parts) {
        return parts.size() == 1 ? parts.get(0) : new Counters(List.copyOf(parts));
    }

    /** Adds one. The owner's right alone. */
    public void increment(CounterId id) {
        add(id, 1);
    }

    /** Adds {@code amount}. The owner's right alone. */
    public void add(CounterId id, long amount) {
        // Each id has its place, so there is nothing to check.
        long address = values.addressOffset() + ((long) id.ordinal() << strideShift);
        UnsafeApi.putLongRelease(null, address, UnsafeApi.getLong(null, address) + amount);
    }

    /** {@return the count, as of some recent moment} */
    public long get(CounterId id) {
        long sum = values.getLongVolatile(id.ordinal() << strideShift);
        for (int i = 0; i < parts.size(); i++) {
            sum += parts.get(i).get(id);
        }
        return sum;
    }

    /** {@return the sum of all drops, whatever their reason} */
    public long drops() {
        long sum = 0;
        for (CounterId id : IDS) {
            if (id.isDrop()) {
                sum += get(id);
            }
        }
        return sum;
    }

    /** {@return every count that is not zero, as {@code NAME=value} lines, for people and test failures} */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (CounterId id : IDS) {
            if (get(id) != 0) {
                text.append(id).append('=').append(get(id)).append('\n');
            }
        }
        return text.toString();
    }
}
