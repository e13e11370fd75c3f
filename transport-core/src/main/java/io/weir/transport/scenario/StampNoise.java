package io.weir.transport.scenario;

import io.weir.transport.node.ConfigException;

/**
 * How far the times that a host's port notes for frames which come are from when they came. Gaussian, cut off at four
 * standard deviations; the host sees a frame those four later than it came, because no stamp can be of the future.
 *
 * @param deviationNanos the standard deviation, 0 for exact stamps
 */
public record StampNoise(long deviationNanos) {
    /** Stamps are exact. */
    public static final StampNoise NONE = new StampNoise(0);

    private static final long DEVIATION_NANOS_MAX = 1_000_000;
    private static final int DEVIATIONS_MAX = 4;

    public StampNoise {
        if (deviationNanos < 0 || deviationNanos > DEVIATION_NANOS_MAX) {
            throw new ConfigException("a standard deviation of stamps of " + deviationNanos + " ns is outside 0.."
                    + DEVIATION_NANOS_MAX + "; write 1ms or less");
        }
    }

    /** {@return the farthest that a stamp is off} */
    public long nanosMax() {
        return DEVIATIONS_MAX * deviationNanos;
    }
}
