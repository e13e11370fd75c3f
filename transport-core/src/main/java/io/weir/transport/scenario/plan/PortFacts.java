package io.weir.transport.scenario.plan;

import io.weir.pacer.RateMath;
import io.weir.transport.node.ConfigException;
import io.weir.transport.protocol.credit.CreditModel;
import io.weir.transport.protocol.credit.CreditPortConfig;
import io.weir.transport.protocol.credit.CreditSettings;
import io.weir.transport.scenario.LinkSpec;
import io.weir.transport.scenario.PortSpec;
import io.weir.transport.scenario.topology.Wiring;
import java.math.BigInteger;

/**
 * A port as the recursion sees it: its link, its meter and its credit queue.
 *
 * @param link its link
 * @param credits how it limits credits
 * @param meter its meter and credit queue; that of the host at the other end where the port of a switch has none
 * @param creditFrames how many frames one credit grants
 */
record PortFacts(LinkSpec link, CreditSettings credits, CreditPortConfig meter, int creditFrames) {
    static PortFacts of(Wiring wiring, int node, Wiring.Port port, PlanSettings settings) {
        LinkSpec link = wiring.link(port);
        boolean isUnmetered = settings.creditFrames() > 1 && !wiring.isHost(node);
        if (isUnmetered) {
            return unmetered(link, port, settings.creditFrames());
        }
        PortSpec spec = port.isLeft() ? link.leftPort() : link.rightPort();
        int queueCredits = settings.queueCredits();
        CreditSettings credits =
                queueCredits == 0 ? spec.credits() : spec.credits().with(CreditSettings.QUEUE, queueCredits);
        CreditPortConfig meter = credits.toConfig(link.rateBps(), link.mtuBytes());
        if (meter == null) {
            throw new ConfigException("the port of '" + wiring.name(node) + "' to '" + wiring.name(port.peer())
                    + "' has no credit meter, so that nothing bounds its queue; give it credits with a model other than"
                    + " off");
        }
        return new PortFacts(link, credits, meter, settings.creditFrames());
    }

    private static PortFacts unmetered(LinkSpec link, Wiring.Port port, int creditFrames) {
        PortSpec other = port.isLeft() ? link.rightPort() : link.leftPort();
        CreditPortConfig meter = other.credits().toConfig(link.rateBps(), link.mtuBytes());
        CreditPortConfig usual = CreditSettings.DEFAULT.toConfig(link.rateBps(), link.mtuBytes());
        CreditSettings none = CreditSettings.DEFAULT.withModel(CreditModel.OFF);
        return new PortFacts(link, none, meter == null ? usual : meter, creditFrames);
    }

    /** {@return how many of the smallest credits the queue holds; none where only hosts meter} */
    int queueCredits() {
        return creditFrames > 1
                ? 0
                : meter.queueBytesMax() / meter.creditShape().wireBytesMin();
    }

    /**
     * {@return how many of the smallest credits the bucket lets pass at once, or the frames of one: the bucket is full
     * for those}
     */
    long burstCredits() {
        return Math.max(meter.burstBytes() / chargeBytes(), creditFrames);
    }

    /** {@return what the meter charges for the smallest credit} */
    private long chargeBytes() {
        return (long) meter.creditShape().wireBytesMin() + meter.surchargeBytes();
    }

    /** {@return how long {@code credits} of the smallest take to pass the meter, rounded up} */
    long passNanosCeil(long credits) {
        return RateMath.serializationNanosCeil(credits * chargeBytes(), meter.rateBps());
    }

    /**
     * {@return how many of the smallest credits the meter lets pass in {@code nanos}, times {@code bytesEach}, rounded
     * up}
     */
    long bytesPassed(long nanos, long bytesEach) {
        BigInteger numerator = BigInteger.valueOf(nanos)
                .multiply(BigInteger.valueOf(meter.rateBps()))
                .multiply(BigInteger.valueOf(bytesEach));
        BigInteger denominator =
                BigInteger.valueOf(RateMath.NANOBITS_PER_BYTE).multiply(BigInteger.valueOf(chargeBytes()));
        return numerator
                .add(denominator.subtract(BigInteger.ONE))
                .divide(denominator)
                .longValueExact();
    }

    /** {@return link bytes of the largest frame that a credit permits} */
    long dataBytes() {
        return meter.creditShape().dataWireBytesMax();
    }

    /** {@return link bytes of the smallest credit and the largest frame that it permits} */
    long costBytes() {
        return meter.creditShape().wireBytesMin() + dataBytes();
    }

    /** {@return how long a frame takes to leave, rounded up} */
    long serializationNanos(long bytes) {
        return RateMath.serializationNanosCeil(bytes, link.rateBps());
    }
}
