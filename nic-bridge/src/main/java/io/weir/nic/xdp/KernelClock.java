package io.weir.nic.xdp;

import java.util.function.LongSupplier;

/**
 * The kernel's monotonic clock as the driver's. The driver's is that same clock less a constant, which is learnt: the
 * least distance that was seen between a look at the clock and the time of the poll that it follows. It is too large
 * by what passes between the two, some tens of nanoseconds.
 *
 * <p>Where a process lives in a time namespace, its own monotonic clock is not the kernel's. Such stamps lie far from
 * the poll and are not used.
 *
 * <p>Owned by one thread. O(1), one look at the clock per poll that found frames; no allocation.
 */
final class KernelClock {
    /** What is no time. */
    static final long UNKNOWN = Long.MIN_VALUE;

    /** A frame that waited longer, or came so much after the poll that found it, was stamped by another clock. */
    private static final long NANOS_MAX = 10_000_000_000L;

    private final LongSupplier machineNanos;
    /** From the driver's time to the clock's, in nanoseconds; only ever falls. */
    private long distanceNanos = Long.MAX_VALUE;
    /** The poll that was looked at last, by the driver's time. */
    private long polledNanos = UNKNOWN;

    KernelClock(LongSupplier machineNanos) {
        this.machineNanos = machineNanos;
    }

    /**
     * {@return when a frame came that bears {@code stampNanos}, by the driver's clock and never after the poll, or
     * {@link #UNKNOWN}}
     */
    long arrivalNanos(long stampNanos, long pollNanos) {
        if (pollNanos != polledNanos) {
            polledNanos = pollNanos;
            distanceNanos = Math.min(distanceNanos, machineNanos.getAsLong() - pollNanos);
        }
        long arrivedNanos = stampNanos - distanceNanos;
        boolean isUsable = Math.abs(pollNanos - arrivedNanos) <= NANOS_MAX;
        return isUsable ? Math.min(arrivedNanos, pollNanos) : UNKNOWN;
    }
}
