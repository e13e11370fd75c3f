package io.weir.transport.protocol.peers;

import io.weir.pacer.RateMath;
import io.weir.transport.node.ConfigException;
import io.weir.transport.protocol.PortPolicy;
import io.weir.transport.protocol.PortPolicyConfig;

/**
 * A queue that a port only counts: it drains slower than the link, so that it grows before the real one does.
 *
 * @param drainPpm the share of the link's rate at which it drains (gamma)
 * @param thresholdBytes from where on packets are marked
 */
public record PhantomQueueConfig(int drainPpm, long thresholdBytes) implements PortPolicyConfig {
    private static final int PPM = 1_000_000;

    /** Validates share and threshold. */
    public PhantomQueueConfig {
        if (drainPpm <= 0 || drainPpm > PPM) {
            throw new ConfigException("drainPpm=" + drainPpm + " is outside 1.." + PPM);
        }
        if (thresholdBytes < 0 || thresholdBytes >= RateMath.BYTES_MAX) {
            throw new ConfigException(
                    "thresholdBytes=" + thresholdBytes + " is outside 0.." + (RateMath.BYTES_MAX - 1));
        }
    }

    @Override
    public PortPolicy newPolicy(Port port) {
        return new PhantomQueue(this, port);
    }
}
