package io.weir.transport.switching;

import io.weir.pacer.PauseBudget;
import io.weir.pacer.RateMath;
import io.weir.transport.node.ConfigException;
import io.weir.transport.protocol.PortPolicyConfig;
import io.weir.transport.protocol.credit.CreditPortConfig;
import io.weir.transport.protocol.credit.CreditSettings;
import io.weir.transport.wire.Ethernet;
import java.util.List;

/**
 * One port of a switch and the link behind it.
 *
 * @param linkRateBps the rate at which the port's queues drain
 * @param mtuBytes the largest IP packet of the link
 * @param dataQueueBytesMax the capacity of the data queue on the wire; what finds it full is dropped
 * @param credits how credits are limited, or null for a port that forwards them like data
 * @param ecn when packets are marked, or null for never
 * @param floodRateBps how much that came in by the port may go to every port, since its destination is everybody or is
 *     not known; the link's rate for no limit
 * @param policies what protocols ask of it, in the order in which they see frames
 * @param link whether, and how, the port itself plays the link behind it
 * @param pauses what the port may make up for when the switch's driver did not run it
 */
public record SwitchPortConfig(
        long linkRateBps,
        int mtuBytes,
        long dataQueueBytesMax,
        CreditPortConfig credits,
        EcnConfig ecn,
        long floodRateBps,
        List<PortPolicyConfig> policies,
        LinkEmulation link,
        PauseBudget pauses) {
    private static final int FLOOD_DIVISOR = 100;

    public SwitchPortConfig {
        policies = List.copyOf(policies);
        RateMath.requireRate("linkRateBps", linkRateBps);
        if (floodRateBps < 1 || floodRateBps > linkRateBps) {
            throw new ConfigException("floodRateBps=" + floodRateBps + " is outside 1.." + linkRateBps
                    + ", the link's rate, which means no limit; lower it");
        }
        if (dataQueueBytesMax < mtuBytes + Ethernet.FRAMING_BYTES) {
            throw new ConfigException("dataQueueBytesMax=" + dataQueueBytesMax + " holds no frame of "
                    + (mtuBytes + Ethernet.FRAMING_BYTES) + " B; make it at least that");
        }
        if (link.isEmulated() && link.ingressQueueBytesMax() < mtuBytes + Ethernet.FRAMING_BYTES) {
            throw new ConfigException("link.ingressQueueBytesMax=" + link.ingressQueueBytesMax()
                    + " lets no frame of " + (mtuBytes + Ethernet.FRAMING_BYTES)
                    + " B come in by the emulated link; make it at least that");
        }
    }

    /** {@return the usual capacity of a data queue: 250 of the largest frames (ExpressPass section 6.3)} */
    public static long usualDataQueueBytes(int mtuBytes) {
        return 250L * (mtuBytes + Ethernet.FRAMING_BYTES);
    }

    /**
     * {@return the usual limit of what may go to every port: a hundredth of the link, which is what meters leave to
     * frames without a credit}
     */
    public static long usualFloodRateBps(long linkRateBps) {
        return Math.max(1, linkRateBps / FLOOD_DIVISOR);
    }

    /** {@return a builder for a port of this rate; the rest is ExpressPass's default} */
    public static Builder builder(long linkRateBps) {
        return new Builder(linkRateBps);
    }

    /**
     * How a port plays a link that the medium below does not have: in virtual time the simulator's links have rate and
     * delay; a veth pair has neither.
     *
     * @param isEmulated whether the port delays frames by their serialization time and {@code propagationNanos}, both
     *     ways
     * @param propagationNanos the link's propagation delay
     * @param ingressQueueBytesMax what may wait for the link at its far end, the host's
     * @param catchUpNanos how far the link may catch up when it is polled late
     */
    public record LinkEmulation(
            boolean isEmulated, long propagationNanos, long ingressQueueBytesMax, long catchUpNanos) {
        /** The medium below has rate and delay itself. */
        public static final LinkEmulation NONE = new LinkEmulation(false, 0, 0, 0);

        public LinkEmulation {
            if (propagationNanos < 0 || catchUpNanos < 0 || ingressQueueBytesMax < 0) {
                throw new ConfigException("propagationNanos=" + propagationNanos + ", ingressQueueBytesMax="
                        + ingressQueueBytesMax + " and catchUpNanos=" + catchUpNanos + " must not be negative");
            }
        }
    }

    /** Collects what differs from the default. */
    public static final class Builder {
        private final long linkRateBps;
        private int mtuBytes = 1500;
        private long dataQueueBytesMax;
        private CreditPortConfig credits;
        private boolean isMetered = true;
        private EcnConfig ecn;
        private long floodRateBps;
        private List<PortPolicyConfig> policies = List.of();
        private LinkEmulation link = LinkEmulation.NONE;
        private PauseBudget pauses = PauseBudget.NONE;

        private Builder(long linkRateBps) {
            this.linkRateBps = linkRateBps;
        }

        /** Sets the largest IP packet of the link. */
        public Builder mtuBytes(int value) {
            mtuBytes = value;
            return this;
        }

        /** Sets the capacity of the data queue; without it, {@link #usualDataQueueBytes}. */
        public Builder dataQueueBytesMax(long value) {
            dataQueueBytesMax = value;
            return this;
        }

        /** Sets how credits are limited; without it, exactly, with 1 % left to frames without a credit. */
        public Builder credits(CreditPortConfig value) {
            credits = value;
            return this;
        }

        /** Forwards credits like data. */
        public Builder unmetered() {
            isMetered = false;
            return this;
        }

        /** Sets when packets are marked. */
        public Builder ecn(EcnConfig value) {
            ecn = value;
            return this;
        }

        /** Sets how much may go to every port; without it, {@link #usualFloodRateBps}. */
        public Builder floodRateBps(long value) {
            floodRateBps = value;
            return this;
        }

        /** Sets what protocols ask of the port. */
        public Builder policies(List<PortPolicyConfig> value) {
            policies = value;
            return this;
        }

        /** Sets how the port plays its link. */
        public Builder link(LinkEmulation value) {
            link = value;
            return this;
        }

        /** Sets what the port may make up for when the switch's driver did not run it. */
        public Builder pauses(PauseBudget value) {
            pauses = value;
            return this;
        }

        /** {@return the port} */
        public SwitchPortConfig build() {
            CreditPortConfig portCredits = credits;
            if (portCredits == null && isMetered) {
                portCredits = CreditSettings.DEFAULT.toConfig(linkRateBps, mtuBytes);
            }
            long capacity = dataQueueBytesMax > 0 ? dataQueueBytesMax : usualDataQueueBytes(mtuBytes);
            long floods = floodRateBps > 0 ? floodRateBps : usualFloodRateBps(linkRateBps);
            return new SwitchPortConfig(
                    linkRateBps, mtuBytes, capacity, portCredits, ecn, floods, policies, link, pauses);
        }
    }
}
