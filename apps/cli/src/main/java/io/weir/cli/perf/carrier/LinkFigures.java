package io.weir.cli.perf.carrier;

/**
 * How the bytes of a connection went until now.
 *
 * @param rttNanos the smoothed round-trip time, 0 while none is known
 * @param rttVariationNanos how much round-trip times differ from it, on average
 * @param windowBytes how much may be in flight at once: the congestion window, or what is in flight where there is none
 * @param peerWindowBytes how much the peer has room for
 * @param retransmittedFrames retransmitted data frames or segments
 */
public record LinkFigures(
        long rttNanos, long rttVariationNanos, long windowBytes, long peerWindowBytes, long retransmittedFrames) {
    /** Nothing is known yet. */
    public static final LinkFigures NONE = new LinkFigures(0, 0, 0, 0, 0);
}
