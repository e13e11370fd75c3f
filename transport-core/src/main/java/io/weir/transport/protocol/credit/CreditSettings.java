package io.weir.transport.protocol.credit;

import io.weir.pacer.CreditShape;
import io.weir.transport.protocol.credit.CreditPortConfig.Drop;
import io.weir.transport.wire.Ethernet;

/**
 * How a port is to treat credits, whatever its link: the link's rate and MTU make a meter of it.
 *
 * @param model what the meter charges
 * @param creditlessPpm the share of the link that the exact model leaves to frames without a credit
 * @param burstCredits the meter's depth
 * @param queueCredits how many of the smallest credits the queue holds
 * @param drop which credit goes when the queue is full
 * @param smallestBytes the shortest credit on the wire
 * @param largestBytes the longest credit on the wire
 * @param rateBps the meter's rate, or 0 for the model's
 */
public record CreditSettings(
        CreditModel model,
        int creditlessPpm,
        int burstCredits,
        int queueCredits,
        Drop drop,
        int smallestBytes,
        int largestBytes,
        long rateBps) {
    /** The default, see the parameter of that name. */
    public static final int CREDITLESS_PPM = 10_000;
    /** The default, see the parameter of that name. */
    public static final int BURST_CREDITS = 2;
    /** The default, see the parameter of that name. */
    public static final int QUEUE_CREDITS = 8;
    /** The default, see the parameter of that name. */
    public static final int SMALLEST_BYTES = 84;
    /** The default, see the parameter of that name. */
    public static final int LARGEST_BYTES = 92;

    /** What a port does of which nothing is said. */
    public static final CreditSettings DEFAULT = new CreditSettings(
            CreditModel.EXACT,
            CREDITLESS_PPM,
            BURST_CREDITS,
            QUEUE_CREDITS,
            Drop.RANDOM,
            SMALLEST_BYTES,
            LARGEST_BYTES,
            0);

    /** {@return these settings with another model} */
    public CreditSettings withModel(CreditModel newModel) {
        return new CreditSettings(
                newModel, creditlessPpm, burstCredits, queueCredits, drop, smallestBytes, largestBytes, rateBps);
    }

    /** {@return the meter and queue of a port, or null when it has none} */
    public CreditPortConfig toConfig(long linkRateBps, int mtuBytes) {
        CreditShape shape = new CreditShape(smallestBytes, largestBytes, 0, mtuBytes + Ethernet.FRAMING_BYTES);
        return switch (model) {
            case OFF -> null;
            case EXACT ->
                adjust(
                        CreditPortConfig.exact(linkRateBps, shape, creditlessPpm, burstCredits),
                        (long) burstCredits * (largestBytes + shape.dataWireBytesMax()));
            case PAPER -> adjust(CreditPortConfig.paper(linkRateBps, shape), meterDepthBytes());
            case AUTHORS -> adjust(CreditPortConfig.authors(linkRateBps, shape), meterDepthBytes());
        };
    }

    private long meterDepthBytes() {
        return Math.max((long) burstCredits * smallestBytes, largestBytes);
    }

    private CreditPortConfig adjust(CreditPortConfig byModel, long burstBytes) {
        return new CreditPortConfig(
                rateBps > 0 ? rateBps : byModel.rateBps(),
                byModel.surchargeBytes(),
                burstBytes,
                queueCredits * smallestBytes,
                drop,
                byModel.creditShape());
    }
}
