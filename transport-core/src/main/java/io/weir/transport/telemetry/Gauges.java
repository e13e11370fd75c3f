package io.weir.transport.telemetry;

import org.agrona.concurrent.UnsafeBuffer;

/** One 64-bit value for each {@link GaugeId}, written by one thread, readable by any at any time. No allocation. */
public final class Gauges {
    private final UnsafeBuffer values;
    private final int strideBytes;

    /**
     * Creates gauges in memory that others read.
     *
     * @param strideBytes how far apart two values are
     */
    public Gauges(UnsafeBuffer values, int strideBytes) {
        this.values = values;
        this.strideBytes = strideBytes;
    }

    /** Sets a value. The owner's right alone. */
    public void set(GaugeId id, long value) {
        values.putLongRelease(id.ordinal() * strideBytes, value);
    }

    /** {@return the value, as of some recent moment} */
    public long get(GaugeId id) {
        return values.getLongVolatile(id.ordinal() * strideBytes);
    }
}
