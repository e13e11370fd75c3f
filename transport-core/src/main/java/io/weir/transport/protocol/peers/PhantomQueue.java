package io.weir.transport.protocol.peers;

import io.weir.pacer.RateMath;
import io.weir.transport.protocol.Parameter;
import io.weir.transport.protocol.PartSettings;
import io.weir.transport.protocol.PortPart;
import io.weir.transport.protocol.PortPolicy;
import io.weir.transport.protocol.PortPolicyConfig;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.telemetry.Counters;
import io.weir.transport.wire.PassingFrame;
import java.util.List;

/**
 * Marks packets by a counter that every frame which leaves for the link adds to, and that drains at a share of the
 * link's rate. One instance per port; exact, in nanobits; O(1).
 *
 * <p>Source: Alizadeh and others, "Less Is More" (NSDI 2012). It counts all data of the link, of whatever protocol, and
 * marks all that understand marks: the headroom is the link's.
 */
public final class PhantomQueue implements PortPolicy {
    static final Parameter<Long> DRAIN = Parameter.ppm(
                    "drain", 950_000, "gamma, the share of the link's rate at which it drains (HULL: 95 %)")
            .within(1, 1_000_000)
            .required();
    /** From where on packets are marked. */
    public static final Parameter<Long> THRESHOLD = Parameter.bytes(
                    "threshold", 1_000, "from where on packets are marked (HULL: 1 KB per Gbps)")
            .within(0, 1e9)
            .required();

    /** What HULL asks of ports, with its values at 1 Gbps. */
    public static final PortPart PART = new PortPart(
            "phantom",
            "HULL's phantom queue: one that is only counted, and that drains at a share of the link's rate. Packets that"
                    + " understand marks are marked Congestion Experienced when they leave while it holds more than the"
                    + " threshold.",
            List.of(DRAIN, THRESHOLD),
            PhantomQueue::new);

    private static final long NANOBITS_MAX = RateMath.nanobits(RateMath.BYTES_MAX);

    private final long drainBps;
    private final long thresholdNanobits;
    private final Counters counters;
    private long levelNanobits;
    private long drainedNanos;

    PhantomQueue(PartSettings settings, PortPolicyConfig.Port port) {
        drainBps = Math.max(1, RateMath.scalePpmFloor(port.linkRateBps(), settings.whole(DRAIN)));
        thresholdNanobits = RateMath.nanobits(settings.whole(THRESHOLD));
        counters = port.counters();
    }

    /** Nothing: a frame counts when it leaves, and never if it is dropped. */
    @Override
    public void onArrival(PassingFrame frame, long queueBytes, long nowNanos) {}

    @Override
    public void onDeparture(PassingFrame frame, long queueBytes, long nowNanos) {
        drain(nowNanos);
        levelNanobits = Math.min(levelNanobits + RateMath.nanobits(frame.wireBytes()), NANOBITS_MAX);
        if (levelNanobits > thresholdNanobits && frame.markCongestion()) {
            counters.increment(CounterId.FRAMES_MARKED);
        }
    }

    private void drain(long nowNanos) {
        long elapsedNanos = nowNanos - drainedNanos;
        drainedNanos = nowNanos;
        // Beyond the time that empties it the product could overflow, and the result is known.
        levelNanobits = elapsedNanos > levelNanobits / drainBps ? 0 : levelNanobits - elapsedNanos * drainBps;
    }

    long levelBytes() {
        return levelNanobits / RateMath.NANOBITS_PER_BYTE;
    }
}
