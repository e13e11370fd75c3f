package io.weir.transport.scenario.plan;

/**
 * A time, by what takes it.
 *
 * @param creditNanos waiting of credits in credit queues
 * @param hostNanos what hosts take to see credits
 * @param pathNanos links: propagation, transmission, and what stands in the way of a frame
 */
public record DelayParts(long creditNanos, long hostNanos, long pathNanos) {
    /** No time. */
    static final DelayParts NONE = new DelayParts(0, 0, 0);

    /** {@return the time} */
    public long nanos() {
        return creditNanos + hostNanos + pathNanos;
    }

    DelayParts plus(DelayParts other) {
        return new DelayParts(
                creditNanos + other.creditNanos, hostNanos + other.hostNanos, pathNanos + other.pathNanos);
    }

    DelayParts minus(DelayParts other) {
        return new DelayParts(
                creditNanos - other.creditNanos, hostNanos - other.hostNanos, pathNanos - other.pathNanos);
    }
}
