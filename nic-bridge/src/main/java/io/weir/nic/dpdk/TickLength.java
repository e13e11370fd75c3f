package io.weir.nic.dpdk;

/**
 * How long a tick is of the clock by which a device stamps frames. DPDK leaves that to the driver. Where the clock can
 * be read, two readings tell. Otherwise frames tell whether ticks are nanoseconds or microseconds: those that come a
 * second apart differ by that in their stamps. Stamps that advance otherwise tell nothing.
 *
 * <p>Owned by one thread. O(1), no allocation.
 */
final class TickLength {
    /** A reading's error, of which both of its ends have one, is at most this part of the time between two of them. */
    private static final long READING_PARTS = 100_000;
    /** How far apart frames are that tell the unit: much more than a thread is off its core. */
    private static final long FRAMES_NANOS = 1_000_000_000;
    /** By which part of the time between them the stamps of such frames may be off, as polls are. */
    private static final long FRAME_PARTS = 64;

    private static final long[] UNITS_NANOS = {1, 1_000};
    private static final int FRACTION_BITS = 32;

    /** Whether there is a first reading or frame; set once. */
    private boolean isBased;
    /** Ticks at the first reading or frame, or at the last one that told nothing. */
    private long baseTicks;
    /** When that was, in nanoseconds of the clock of readings, or of the driver's for frames. */
    private long baseNanos;
    /** By how much that reading may be off; for frames unused. */
    private long baseErrorNanos;
    /** Nanoseconds per tick with {@link #FRACTION_BITS} bits of fraction, or 0 until it is known; set once. */
    private long scaledNanos;

    /** {@return whether {@link #toNanos} can be asked} */
    boolean isKnown() {
        return scaledNanos != 0;
    }

    /** {@return nanoseconds per tick, rounded; 0 until it is known} */
    double nanosPerTick() {
        return Math.scalb((double) scaledNanos, -FRACTION_BITS);
    }

    /**
     * Takes a reading of the device's clock.
     *
     * @param ticks what it showed
     * @param nanos when, by a clock of the machine
     * @param errorNanos by how much that may be off
     */
    void onReading(long ticks, long nanos, long errorNanos) {
        if (!isBased) {
            base(ticks, nanos);
            baseErrorNanos = errorNanos;
            return;
        }
        long elapsedNanos = nanos - baseNanos;
        long elapsedTicks = ticks - baseTicks;
        if (elapsedTicks <= 0) {
            base(ticks, nanos);
            baseErrorNanos = errorNanos;
        } else if ((baseErrorNanos + errorNanos) * READING_PARTS <= elapsedNanos) {
            scaledNanos = Math.round(Math.scalb((double) elapsedNanos / elapsedTicks, FRACTION_BITS));
        }
    }

    /** Takes the stamp of a frame that a poll at {@code polledNanos} found, where the clock cannot be read. */
    void onFrame(long ticks, long polledNanos) {
        if (!isBased) {
            base(ticks, polledNanos);
            return;
        }
        long elapsedNanos = polledNanos - baseNanos;
        if (elapsedNanos < FRAMES_NANOS) {
            return;
        }
        for (long unitNanos : UNITS_NANOS) {
            long expectedTicks = elapsedNanos / unitNanos;
            if (Math.abs(ticks - baseTicks - expectedTicks) <= expectedTicks / FRAME_PARTS) {
                scaledNanos = unitNanos << FRACTION_BITS;
            }
        }
        base(ticks, polledNanos);
    }

    private void base(long ticks, long nanos) {
        isBased = true;
        baseTicks = ticks;
        baseNanos = nanos;
    }

    /** {@return a stamp in nanoseconds since a fixed time of the device} Once the length of a tick is known. */
    long toNanos(long ticks) {
        long elapsedTicks = ticks - baseTicks;
        return Math.multiplyHigh(elapsedTicks, scaledNanos) << (Long.SIZE - FRACTION_BITS)
                | (elapsedTicks * scaledNanos) >>> FRACTION_BITS;
    }
}
