package io.weir.transport.protocol.peers;

import io.weir.pacer.RateMath;
import io.weir.transport.node.ConfigException;
import io.weir.transport.protocol.PortPolicy;
import io.weir.transport.protocol.PortPolicyConfig;

/**
 * How a port finds the rate that it tells the flows which cross it.
 *
 * @param alphaPpm how much of the spare capacity is given away in a round trip
 * @param betaPpm how much of the queue is drained in a round trip
 * @param intervalNanosMax the time between two updates, or a round trip if that is shorter
 */
public record RcpPortConfig(int alphaPpm, int betaPpm, long intervalNanosMax) implements PortPolicyConfig {
    /** The gains of the authors' simulator, and an interval that is short against the round trips of a data centre. */
    public static final RcpPortConfig DEFAULT = new RcpPortConfig(400_000, 226_000, 10_000);

    /** The least of all intervals. */
    public static final long INTERVAL_NANOS_MIN = 1_000;

    private static final int PPM = 1_000_000;

    /** Validates the gains. */
    public RcpPortConfig {
        if (alphaPpm <= 0 || alphaPpm > PPM || betaPpm < 0 || betaPpm > PPM) {
            throw new ConfigException("alphaPpm=" + alphaPpm + " is outside 1.." + PPM + ", or betaPpm=" + betaPpm
                    + " outside 0.." + PPM);
        }
        if (intervalNanosMax < INTERVAL_NANOS_MIN || intervalNanosMax > RateMath.NANOS_PER_SECOND) {
            throw new ConfigException("intervalNanosMax=" + intervalNanosMax + " is outside " + INTERVAL_NANOS_MIN
                    + ".." + RateMath.NANOS_PER_SECOND + "; take some tenth of a round trip");
        }
    }

    /** {@return the same with another alpha} */
    public RcpPortConfig withAlpha(int newAlphaPpm) {
        return new RcpPortConfig(newAlphaPpm, betaPpm, intervalNanosMax);
    }

    /** {@return the same with another beta} */
    public RcpPortConfig withBeta(int newBetaPpm) {
        return new RcpPortConfig(alphaPpm, newBetaPpm, intervalNanosMax);
    }

    /** {@return the same with another interval} */
    public RcpPortConfig withInterval(long newIntervalNanosMax) {
        return new RcpPortConfig(alphaPpm, betaPpm, newIntervalNanosMax);
    }

    @Override
    public PortPolicy newPolicy(Port port) {
        return new RcpPort(this, port);
    }
}
