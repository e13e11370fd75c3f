package io.weir.transport.scenario.plan;

/**
 * A time, by what takes it.
 *
 * @param creditNanos waiting of credits in credit queues
 * @param hostNanos what hosts take to see credits
 * @param pathNanos links: propagation, transmission, and what stands in the way of a frame
 */
public record Parts(long creditNanos, long hostNanos, long pathNanos) {
    /** No time. */
    static final Parts NONE = new Parts(0, 0, 0);

    /** {@return the time} */
    public long nanos() {
        return creditNanos + hostNanos + pathNanos;
    }

    Parts plus(Parts other) {
        return new Parts(creditNanos + other.creditNanos, hostNanos + other.hostNanos, pathNanos + other.pathNanos);
    }

    Parts minus(Parts other) {
        return new Parts(creditNanos - other.creditNanos, hostNanos - other.hostNanos, pathNanos - other.pathNanos);
    }
}
