package io.weir.transport.protocol.credit;

/**
 * The round-trip time that the flows of a host see, for those that have not seen one yet: short flows never will. A
 * guess, with which a flow decides how soon to ask again, and no more.
 */
final class HostRtt {
    private static final int WEIGHT = 8;

    private long smoothedNanos;

    /** A flow of the host has measured its own round-trip time. */
    void onSample(long rttNanos) {
        smoothedNanos += smoothedNanos == 0 ? rttNanos : (rttNanos - smoothedNanos) / WEIGHT;
    }

    /** {@return the time, or 0 while no flow has measured any} */
    long smoothedNanos() {
        return smoothedNanos;
    }
}
