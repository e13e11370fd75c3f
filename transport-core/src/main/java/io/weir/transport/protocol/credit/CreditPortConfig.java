package io.weir.transport.protocol.credit;

import io.weir.pacer.CreditShape;
import io.weir.pacer.RateMath;
import io.weir.transport.node.ConfigException;

/**
 * How a port, a host's or a switch's, treats credits: a carved queue behind a meter. The meter is a token bucket that a
 * credit draws its own wire bytes plus a surcharge from.
 *
 * @param rateBps the bucket's rate
 * @param surchargeBytes what a credit is charged beyond its own wire bytes
 * @param burstBytes the bucket's depth
 * @param queueBytesMax the queue's capacity on the wire (ExpressPass section 3.1: four to eight credits)
 * @param drop which credit goes when the queue is full
 * @param creditShape the credits and frames that the port was made for
 */
public record CreditPortConfig(
        long rateBps, int surchargeBytes, long burstBytes, int queueBytesMax, Drop drop, CreditShape creditShape) {
    private static final int PPM = 1_000_000;
    private static final int QUEUE_BYTES_MAX = 8 * 84;

    /** Which credit is dropped when the queue is full. */
    public enum Drop {
        /** The one that comes: what every switch can do, and what the paper has. */
        TAIL,
        /**
         * One of those in the queue or the one that comes, each as likely: the uniform dropping on which ExpressPass's
         * fairness rests (section 3.1, "Ensuring fair credit drop"). Behind a full queue that another flow keeps full
         * in step with the meter, tail drop takes about every second credit of a sparse flow, whatever its share.
         */
        RANDOM
    }

    /** Validates that the queue holds a credit and the bucket lets one pass. */
    public CreditPortConfig {
        RateMath.requireRate("credit rateBps", rateBps);
        if (surchargeBytes < 0) {
            throw new ConfigException("credit surchargeBytes=" + surchargeBytes + " must not be negative");
        }
        if (queueBytesMax < creditShape.wireBytesMax()) {
            throw new ConfigException("credit queueBytesMax=" + queueBytesMax + " holds no credit of "
                    + creditShape.wireBytesMax() + " B; make it at least that");
        }
        if (burstBytes < creditShape.wireBytesMax() + surchargeBytes) {
            throw new ConfigException("credit burstBytes=" + burstBytes + " lets no credit of "
                    + creditShape.wireBytesMax() + " B and its surcharge of " + surchargeBytes
                    + " B pass; make it at least the sum");
        }
    }

    /**
     * {@return the port that is right for every mixture}
     *
     * <p>Each credit is charged its own wire bytes plus the largest data frame that it permits, against the link rate
     * less the share of frames that no credit permits. Then credits, their data and that share can never exceed the
     * link, whatever the credits' sizes, the IP version or the MTU.
     *
     * @param creditlessPpm the share of the link left to frames without a credit, in parts per million
     * @param burstCredits the bucket's depth in credits: 2 in ExpressPass section 3.1
     */
    public static CreditPortConfig exact(long linkRateBps, CreditShape shape, int creditlessPpm, int burstCredits) {
        if (creditlessPpm < 0 || creditlessPpm >= PPM) {
            throw new ConfigException("creditlessPpm=" + creditlessPpm + " is outside 0..999999");
        }
        int costBytes = shape.wireBytesMax() + shape.dataWireBytesMax();
        return new CreditPortConfig(
                RateMath.scalePpmFloor(linkRateBps, PPM - creditlessPpm),
                shape.dataWireBytesMax(),
                (long) burstCredits * costBytes,
                QUEUE_BYTES_MAX,
                Drop.RANDOM,
                shape);
    }

    /** {@return the byte meter of the paper: 84/(84 + 1538) of the link, two minimum credits deep, tail drop} */
    public static CreditPortConfig paper(long linkRateBps, CreditShape shape) {
        return byteMeter(linkRateBps, shape, shape.wireBytesMin());
    }

    /** {@return the byte meter of the authors' code: mean/(mean + 1538) of the link} */
    public static CreditPortConfig authors(long linkRateBps, CreditShape shape) {
        return byteMeter(linkRateBps, shape, shape.wireBytesMean());
    }

    private static CreditPortConfig byteMeter(long linkRateBps, CreditShape shape, int creditBytes) {
        long rateBps = RateMath.mulDivFloor(linkRateBps, creditBytes, creditBytes + shape.dataWireBytesMax());
        long burstBytes = Math.max(2L * shape.wireBytesMin(), shape.wireBytesMax());
        return new CreditPortConfig(rateBps, 0, burstBytes, QUEUE_BYTES_MAX, Drop.TAIL, shape);
    }

    /** {@return the same port that drops like this} */
    public CreditPortConfig withDrop(Drop newDrop) {
        return new CreditPortConfig(rateBps, surchargeBytes, burstBytes, queueBytesMax, newDrop, creditShape);
    }

    /** {@return the same port whose bucket fills at this rate} */
    public CreditPortConfig withRateBps(long newRateBps) {
        return new CreditPortConfig(newRateBps, surchargeBytes, burstBytes, queueBytesMax, drop, creditShape);
    }

    /** {@return the same port with a bucket of this depth} */
    public CreditPortConfig withBurstBytes(long newBurstBytes) {
        return new CreditPortConfig(rateBps, surchargeBytes, newBurstBytes, queueBytesMax, drop, creditShape);
    }

    /** {@return the same port with a queue of this capacity} */
    public CreditPortConfig withQueueBytesMax(int newQueueBytesMax) {
        return new CreditPortConfig(rateBps, surchargeBytes, burstBytes, newQueueBytesMax, drop, creditShape);
    }

    /**
     * {@return what the meter charges for a credit}
     *
     * @param wireBytes what the credit itself occupies on the link; 0 for one that rides on data
     * @param frames how many frames it grants: a meter that charges for frames charges for each, one that counts the
     *     bytes of credits takes it for as many credits
     */
    public int chargeBytes(int wireBytes, int frames) {
        return surchargeBytes > 0 ? wireBytes + frames * surchargeBytes : frames * wireBytes;
    }

    /** {@return what the meter charges for the credits of so much data, in whole frames} */
    long meteredBytes(long dataBytes) {
        return dataBytes / creditShape.dataWireBytesMax() * (creditShape.wireBytesMean() + surchargeBytes);
    }

    /** {@return what the meter charges for so many link bytes that it did not permit} */
    int owedBytes(int wireBytes) {
        return surchargeBytes > 0
                ? wireBytes
                : (int) RateMath.mulDivFloor(wireBytes, creditShape.wireBytesMean(), creditShape.dataWireBytesMax());
    }

    /** {@return the credited rate that the meter passes: link bits of credits and the frames they permit} */
    public long creditedRateBps() {
        int chargedBytes = creditShape.wireBytesMean() + surchargeBytes;
        return RateMath.mulDivFloor(rateBps, creditShape.costBytesMean(), chargedBytes);
    }
}
