package io.weir.transport.telemetry;

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
     * Not an {@code AtomicLongArray}: where the compiler gives up inlining its handles, a count took a fifth of a
     * frame's time.
     */
    private final UnsafeBuffer values = new UnsafeBuffer(new byte[IDS.length * Long.BYTES]);

    /** Counters of which these are the sum, besides their own; none as a rule. */
    private final List<Counters> parts;

    /** Creates counters that are 0. */
    public Counters() {
        this(List.of());
    }

    private Counters(List<Counters> parts) {
        this.parts = parts;
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
        byte[] array = values.byteArray();
        long address = values.addressOffset() + id.ordinal() * (long) Long.BYTES;
        UnsafeApi.putLongRelease(array, address, UnsafeApi.getLong(array, address) + amount);
    }

    /** {@return the count, as of some recent moment} */
    public long get(CounterId id) {
        long sum = values.getLongVolatile(id.ordinal() * Long.BYTES);
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
