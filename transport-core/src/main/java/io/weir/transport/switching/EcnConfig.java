package io.weir.transport.switching;

import io.weir.transport.node.ConfigException;

/**
 * When a port marks packets Congestion Experienced, by the bytes in its data queue: never below {@code minBytes},
 * always from {@code maxBytes} on, and between the two with a probability that rises from 0 to {@code probabilityPpm}.
 *
 * @param minBytes Kmin
 * @param maxBytes Kmax
 * @param probabilityPpm Pmax in parts per million
 * @param isOnDeparture whether a packet is marked when it leaves, by what it leaves behind, and not by what it finds:
 *     the mark is younger by the time that the packet waited
 */
public record EcnConfig(long minBytes, long maxBytes, int probabilityPpm, boolean isOnDeparture) {
    private static final int PPM = 1_000_000;

    public EcnConfig {
        if (minBytes < 0 || maxBytes < minBytes || probabilityPpm < 0 || probabilityPpm > PPM) {
            throw new ConfigException("marking from minBytes=" + minBytes + " to maxBytes=" + maxBytes
                    + " with probabilityPpm=" + probabilityPpm + " must satisfy 0 <= min <= max and 0..1000000");
        }
    }

    /** Marks packets when they come. */
    public EcnConfig(long minBytes, long maxBytes, int probabilityPpm) {
        this(minBytes, maxBytes, probabilityPpm, false);
    }

    /** {@return the same thresholds, for packets that leave} */
    public EcnConfig onDeparture() {
        return new EcnConfig(minBytes, maxBytes, probabilityPpm, true);
    }

    /** {@return marking of everything that finds {@code bytes} or more in the queue (DCTCP's K)} */
    public static EcnConfig step(long bytes) {
        return new EcnConfig(bytes, bytes, PPM);
    }
}
