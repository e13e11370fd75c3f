package io.weir.pacer;

/**
 * What the credits of a flow look like to a link.
 *
 * @param wireBytesMin the shortest credit on the wire, with preamble, check sequence and gap (84: a minimum frame)
 * @param wireBytesMax the longest credit on the wire (92 in ExpressPass section 3.1)
 * @param jitterPpm how far a gap may deviate from its mean, in parts per million of the gap (0.01 to 0.08 in the
 *     paper's Figure 6, 0.1 in the authors' code)
 * @param dataWireBytesMax the longest data frame that one credit permits (1538 at an MTU of 1500)
 */
public record CreditShape(int wireBytesMin, int wireBytesMax, int jitterPpm, int dataWireBytesMax) {
    private static final int MINIMUM_FRAME_WIRE_BYTES = 84;

    public CreditShape {
        if (wireBytesMin < MINIMUM_FRAME_WIRE_BYTES || wireBytesMax < wireBytesMin) {
            throw new IllegalArgumentException("credit wire bytes " + wireBytesMin + ".." + wireBytesMax
                    + " must rise from at least " + MINIMUM_FRAME_WIRE_BYTES + ", a minimum Ethernet frame");
        }
        if (jitterPpm < 0 || jitterPpm > 500_000) {
            throw new IllegalArgumentException("jitterPpm=" + jitterPpm + " is outside 0..500000");
        }
        if (dataWireBytesMax < MINIMUM_FRAME_WIRE_BYTES || dataWireBytesMax > 65_536) {
            throw new IllegalArgumentException("dataWireBytesMax=" + dataWireBytesMax + " is outside 84..65536");
        }
    }

    /** {@return credits that are minimum frames without jitter, and permit data frames of up to so many wire bytes} */
    public static CreditShape permitting(int dataWireBytesMax) {
        return new CreditShape(MINIMUM_FRAME_WIRE_BYTES, MINIMUM_FRAME_WIRE_BYTES, 0, dataWireBytesMax);
    }

    /** {@return the same with credits of other sizes on the wire} */
    public CreditShape withWireBytes(int newWireBytesMin, int newWireBytesMax) {
        return new CreditShape(newWireBytesMin, newWireBytesMax, jitterPpm, dataWireBytesMax);
    }

    /** {@return the same with another jitter} */
    public CreditShape withJitterPpm(int newJitterPpm) {
        return new CreditShape(wireBytesMin, wireBytesMax, newJitterPpm, dataWireBytesMax);
    }

    /** {@return the mean wire size of a credit, rounded up} */
    public int wireBytesMean() {
        return (wireBytesMin + wireBytesMax + 1) / 2;
    }

    /** {@return the link bytes that one credit stands for: its own, on average, and the frame that it permits} */
    public int costBytesMean() {
        return wireBytesMean() + dataWireBytesMax;
    }
}
