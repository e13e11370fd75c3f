package io.weir.pacer;

/**
 * What a host, or a port of a switch, may do about time in which its thread did not run.
 *
 * <p>{@code bytes} is what it may add to queues on the path by making up for pauses: over any time it sends its rate
 * and that much, and its credits ask for its rate and that much. Equation 1 of ExpressPass counts it as spread of host
 * delay. With 0 nothing is made up, and queues keep their strict bound.
 *
 * @param bytes link bytes that may be made up, over any time
 * @param peerNanosMax the longest pause that a peer is believed: what it announces beyond is taken for this
 */
public record PauseBudget(long bytes, long peerNanosMax) {
    /**
     * The smallest port buffer that the default budget is for: 250 of the longest frames, as ExpressPass section 6.3
     * has them.
     */
    public static final long PORT_BUFFER_BYTES = 250L * 1538;

    /** How many receivers, or elements of a path, may make up for pauses at one port at the same moment, by default. */
    public static final int RECEIVERS = 2;

    /**
     * What of a port's buffer the budget leaves to the strict part of equation 1, in frames of 1538 B: the hosts' and
     * switches' credit queues of eight, four hops each way.
     */
    private static final long STRICT_BYTES = 80L * 1538;

    private static final long PEER_NANOS_MAX = 50_000_000L;

    private static final long BYTES_MAX = 100_000_000L;

    /** Nothing is made up: queues keep their strict bound. */
    public static final PauseBudget NONE = new PauseBudget(0, PEER_NANOS_MAX);

    /** What fits the default port buffer. */
    public static final PauseBudget DEFAULT = within(PORT_BUFFER_BYTES, RECEIVERS);

    public PauseBudget {
        if (bytes < 0 || bytes > BYTES_MAX) {
            throw new IllegalArgumentException("pauseBudgetBytes=" + bytes + " is outside 0.." + BYTES_MAX
                    + "; 0 makes up for nothing, and a port's buffer is the most that is useful");
        }
        if (peerNanosMax < 0) {
            throw new IllegalArgumentException("peerNanosMax=" + peerNanosMax + " must not be negative");
        }
    }

    /**
     * {@return the budget with which equation 1 stays below a port's buffer}
     *
     * @param portBufferBytes the smallest data queue of the path
     * @param receivers how many receivers may share the port
     */
    public static PauseBudget within(long portBufferBytes, int receivers) {
        if (receivers < 1) {
            throw new IllegalArgumentException("receivers=" + receivers + " must be at least 1");
        }
        return new PauseBudget(Math.max(0, portBufferBytes - STRICT_BYTES) / receivers, PEER_NANOS_MAX);
    }

    /** {@return the same with another number of bytes} */
    public PauseBudget withBytes(long newBytes) {
        return new PauseBudget(newBytes, peerNanosMax);
    }

    /** {@return bytes that a link of this rate could have sent during the pause, as far as they may be made up} */
    public long makeUpBytes(long pauseNanos, long rateBps) {
        if (bytes == 0 || pauseNanos >= RateMath.serializationNanosCeil(bytes, rateBps)) {
            return bytes;
        }
        return pauseNanos * rateBps / RateMath.NANOBITS_PER_BYTE;
    }
}
