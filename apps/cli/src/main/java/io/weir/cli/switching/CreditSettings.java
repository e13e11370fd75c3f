package io.weir.cli.switching;

import io.weir.cli.unit.Exact;
import io.weir.pacer.CreditShape;
import io.weir.transport.protocol.credit.CreditPortConfig;
import io.weir.transport.protocol.credit.CreditPortConfig.Drop;
import io.weir.transport.wire.Ethernet;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * How the file has a port treat credits; the port's rate and MTU make a meter of it.
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
record CreditSettings(
        CreditModel model,
        int creditlessPpm,
        int burstCredits,
        int queueCredits,
        Drop drop,
        int smallestBytes,
        int largestBytes,
        long rateBps) {
    static final int CREDITLESS_PPM = 10_000;
    static final int BURST_CREDITS = 2;
    static final int QUEUE_CREDITS = 8;
    static final int SMALLEST_BYTES = 84;
    static final int LARGEST_BYTES = 92;

    /** What a port does of which the file says nothing. */
    static final CreditSettings DEFAULT = new CreditSettings(
            CreditModel.EXACT,
            CREDITLESS_PPM,
            BURST_CREDITS,
            QUEUE_CREDITS,
            Drop.RANDOM,
            SMALLEST_BYTES,
            LARGEST_BYTES,
            0);

    /** {@return the meter and queue of a port, or null when it has none} */
    CreditPortConfig toConfig(long linkRateBps, int mtuBytes) {
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

    /** {@return the block as the file has it, with nothing left to defaults but the model's rate} */
    Map<String, Object> toDocument() {
        Map<String, Object> block = new LinkedHashMap<>();
        block.put("model", model.word());
        if (model == CreditModel.OFF) {
            return block;
        }
        if (model == CreditModel.EXACT) {
            block.put("creditless", Exact.share(creditlessPpm));
        }
        block.put("burst", burstCredits);
        block.put("queue", queueCredits);
        block.put("drop", drop.name().toLowerCase(Locale.ROOT));
        block.put("smallest", Exact.size(smallestBytes));
        block.put("largest", Exact.size(largestBytes));
        if (rateBps > 0) {
            block.put("rate", Exact.rate(rateBps));
        }
        return block;
    }
}
