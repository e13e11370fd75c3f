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
    /** Validates the shape. */
    public CreditShape {
        if (wireBytesMin < 84 || wireBytesMax < wireBytesMin) {
            throw new IllegalArgumentException("credit wire bytes " + wireBytesMin + ".." + wireBytesMax
                    + " must rise from at least 84, a minimum Ethernet frame");
        }
        if (jitterPpm < 0 || jitterPpm > 500_000) {
            throw new IllegalArgumentException("jitterPpm=" + jitterPpm + " is outside 0..500000");
        }
        if (dataWireBytesMax < 84 || dataWireBytesMax > 65_536) {
            throw new IllegalArgumentException("dataWireBytesMax=" + dataWireBytesMax + " is outside 84..65536");
        }
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
