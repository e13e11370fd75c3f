package io.weir.transport.scenario.plan;

/**
 * A time, by what takes it.
 *
 * @param creditNanos waiting of credits in credit queues
 * @param hostNanos what hosts take to see credits
 * @param pathNanos links: propagation, transmission, and what stands in the way of a frame
 */
public record DelayBreakdown(long creditNanos, long hostNanos, long pathNanos) {
    /** No time. */
    static final DelayBreakdown NONE = new DelayBreakdown(0, 0, 0);

    /** {@return the time} */
    public long nanos() {
        return creditNanos + hostNanos + pathNanos;
    }

    DelayBreakdown plus(DelayBreakdown other) {
        return new DelayBreakdown(
                creditNanos + other.creditNanos, hostNanos + other.hostNanos, pathNanos + other.pathNanos);
    }

    DelayBreakdown minus(DelayBreakdown other) {
        return new DelayBreakdown(
                creditNanos - other.creditNanos, hostNanos - other.hostNanos, pathNanos - other.pathNanos);
    }
}
