package io.weir.transport.protocol.credit;

import io.weir.pacer.CreditShape;
import io.weir.pacer.RateMath;

/**
 * How a port meters credits: a token bucket that a credit draws its own wire bytes plus a surcharge from.
 *
 * @param rateBps the bucket's rate
 * @param surchargeBytes what a credit is charged beyond its own wire bytes
 * @param burstBytes the bucket's depth
 * @param creditShape the credits and frames that the meter was made for
 */
public record CreditMeterConfig(long rateBps, int surchargeBytes, long burstBytes, CreditShape creditShape) {
    private static final int PPM = 1_000_000;
    private static final int BURST_CREDITS = 2;

    /**
     * {@return the meter that is right for every mixture}
     *
     * <p>Each credit is charged its own wire bytes plus the largest data frame that it permits, against the link rate less
     * the share of frames that no credit permits. Then credits, their data and that share can never exceed the link,
     * whatever the credits' sizes, the IP version or the MTU.
     *
     * @param creditlessPpm the share of the link left to frames without a credit, in parts per million
     * @param burstCredits the bucket's depth in credits: 2 in ExpressPass section 3.1
     */
    public static CreditMeterConfig exact(long linkRateBps, CreditShape shape, int creditlessPpm, int burstCredits) {
        if (creditlessPpm < 0 || creditlessPpm >= PPM) {
            throw new IllegalArgumentException("creditlessPpm=" + creditlessPpm + " is outside 0..999999");
        }
        int costBytes = shape.wireBytesMax() + shape.dataWireBytesMax();
        return new CreditMeterConfig(
                RateMath.scalePpmFloor(linkRateBps, PPM - creditlessPpm),
                shape.dataWireBytesMax(),
                (long) burstCredits * costBytes,
                shape);
    }

    /** {@return the byte meter of the paper: 84/(84 + 1538) of the link, two minimum credits deep} */
    public static CreditMeterConfig paper(long linkRateBps, CreditShape shape) {
        return byteMeter(linkRateBps, shape, shape.wireBytesMin());
    }

    /** {@return the byte meter of the authors' code: mean/(mean + 1538) of the link} */
    public static CreditMeterConfig authors(long linkRateBps, CreditShape shape) {
        return byteMeter(linkRateBps, shape, shape.wireBytesMean());
    }

    private static CreditMeterConfig byteMeter(long linkRateBps, CreditShape shape, int creditBytes) {
        long rateBps = RateMath.mulDivFloor(linkRateBps, creditBytes, creditBytes + shape.dataWireBytesMax());
        return new CreditMeterConfig(
                rateBps, 0, Math.max(BURST_CREDITS * shape.wireBytesMin(), shape.wireBytesMax()), shape);
    }

    /** {@return the credited rate that the meter passes: link bits of credits and the frames they permit} */
    public long creditedRateBps() {
        int chargedBytes = creditShape.wireBytesMean() + surchargeBytes;
        return RateMath.mulDivFloor(rateBps, creditShape.costBytesMean(), chargedBytes);
    }
}
