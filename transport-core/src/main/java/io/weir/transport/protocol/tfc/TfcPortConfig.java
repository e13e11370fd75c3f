package io.weir.transport.protocol.tfc;

import io.weir.pacer.RateMath;
import io.weir.transport.node.ConfigException;
import io.weir.transport.protocol.PortPolicy;
import io.weir.transport.protocol.PortPolicyConfig;

/**
 * How a port shares out its link among the TFC flows that cross it.
 *
 * @param tokens how much it gives away
 * @param baseRtt how it finds the round-trip time without queues
 * @param arbiter how it delays what would come at once
 */
public record TfcPortConfig(Tokens tokens, BaseRtt baseRtt, Arbiter arbiter) implements PortPolicyConfig {
    private static final int PPM = 1_000_000;

    /** The values of the paper's testbed. */
    public static final TfcPortConfig DEFAULT = new TfcPortConfig(
            new Tokens(970_000, 875_000, 2_000_000),
            new BaseRtt(160_000, 100_000_000, 7),
            new Arbiter(16_384, RateMath.NANOS_PER_SECOND));

    /**
     * How many tokens a port gives away.
     *
     * @param rho0Ppm the expected utilization of the link (section 4.5)
     * @param alphaPpm the weight of the tokens before in their moving average (equation 8); all of it for no adjustment
     *     at all
     * @param gainPpmMax the most that an idle link's tokens are raised to, as a share of what the link passes in a
     *     round trip
     */
    public record Tokens(int rho0Ppm, int alphaPpm, int gainPpmMax) {
        private static final int GAIN_PPM_MAX = 16 * PPM;

        /** Validates the shares. */
        public Tokens {
            if (rho0Ppm <= 0 || rho0Ppm > PPM || alphaPpm < 0 || alphaPpm > PPM) {
                throw new ConfigException("rho0Ppm=" + rho0Ppm + " is outside 1.." + PPM + ", or alphaPpm=" + alphaPpm
                        + " outside 0.." + PPM);
            }
            if (gainPpmMax < PPM || gainPpmMax > GAIN_PPM_MAX) {
                throw new ConfigException(
                        "gainPpmMax=" + gainPpmMax + " is outside " + PPM + ".." + GAIN_PPM_MAX
                                + "; 2 times what the link passes in a round trip is enough for hosts that take a round trip to answer");
            }
        }
    }

    /**
     * How a port finds the round-trip time without queues.
     *
     * @param nanosInitial what it is until one is measured
     * @param windowNanos for how long a minimum counts at least; at most for twice that
     * @param missesMax the largest k of 2^k times the latest round, after which a silent delimiter flow is replaced
     *     (section 5.2)
     */
    public record BaseRtt(long nanosInitial, long windowNanos, int missesMax) {
        /** The longest round trip that is measured. */
        public static final long NANOS_MAX = 100_000_000;

        private static final long WINDOW_NANOS_MAX = 3_600 * RateMath.NANOS_PER_SECOND;
        private static final int MISSES_MAX = 16;

        /** Validates the times. */
        public BaseRtt {
            if (nanosInitial <= 0 || nanosInitial > NANOS_MAX) {
                throw new ConfigException("nanosInitial=" + nanosInitial + " is outside 1.." + NANOS_MAX);
            }
            if (windowNanos <= 0 || windowNanos > WINDOW_NANOS_MAX) {
                throw new ConfigException("windowNanos=" + windowNanos + " is outside 1.." + WINDOW_NANOS_MAX
                        + "; take a thousand round trips");
            }
            if (missesMax < 1 || missesMax > MISSES_MAX) {
                throw new ConfigException("missesMax=" + missesMax + " is outside 1.." + MISSES_MAX);
            }
        }

        /** {@return the same with another time until one is measured} */
        public BaseRtt withInitial(long newNanosInitial) {
            return new BaseRtt(newNanosInitial, windowNanos, missesMax);
        }

        /** {@return the same with another window} */
        public BaseRtt withWindow(long newWindowNanos) {
            return new BaseRtt(nanosInitial, newWindowNanos, missesMax);
        }
    }

    /**
     * How a port delays the acknowledgements of flows whose window is less than a frame.
     *
     * @param framesMax how many it holds at most; 0 for none, which is a port without the delay function
     * @param holdNanosMax the longest that one is held
     */
    public record Arbiter(int framesMax, long holdNanosMax) {
        private static final int FRAMES_MAX = 1 << 20;

        /** Validates the bounds. */
        public Arbiter {
            if (framesMax < 0 || framesMax > FRAMES_MAX) {
                throw new ConfigException("framesMax=" + framesMax + " is outside 0.." + FRAMES_MAX
                        + "; take as many as flows may cross the port at once");
            }
            if (holdNanosMax <= 0 || holdNanosMax > 10 * RateMath.NANOS_PER_SECOND) {
                throw new ConfigException("holdNanosMax=" + holdNanosMax + " is outside 1.."
                        + 10 * RateMath.NANOS_PER_SECOND + "; take less than a connection waits for its peer");
            }
        }
    }

    /** {@return the same with other tokens} */
    public TfcPortConfig with(Tokens newTokens) {
        return new TfcPortConfig(newTokens, baseRtt, arbiter);
    }

    /** {@return the same with another way to find the round-trip time} */
    public TfcPortConfig with(BaseRtt newBaseRtt) {
        return new TfcPortConfig(tokens, newBaseRtt, arbiter);
    }

    /** {@return the same with another arbiter} */
    public TfcPortConfig with(Arbiter newArbiter) {
        return new TfcPortConfig(tokens, baseRtt, newArbiter);
    }

    @Override
    public PortPolicy newPolicy(Port port) {
        return new TfcPort(this, port);
    }
}
