package io.weir.cli.demo;

import io.weir.transport.protocol.credit.CreditPortConfig;

/**
 * What one flow alone should reach, term by term: the link, times the share of it that credits leave to data, times
 * what of a full-sized frame a byte stream over TCP could use at most.
 *
 * @param linkBps the bottleneck's rate
 * @param dataShare the share of the link that data frames may take, the rest being credits and what needs none
 * @param payloadBytes payload of a full-sized frame: MTU less IPv4 and TCP headers
 * @param frameBytes the same frame on the wire
 * @param fraction which part of the product is demanded
 */
record ExpectedGoodput(long linkBps, double dataShare, int payloadBytes, int frameBytes, double fraction) {
    /** The part of the product of the other terms that is demanded. */
    static final double FRACTION = 0.93;

    private static final int PAYLOAD_BYTES = 1460;

    /** {@return the terms for a bottleneck whose switch meters credits like this} */
    static ExpectedGoodput of(long linkBps, CreditPortConfig credits) {
        double dataPerCost = (double) credits.creditShape().dataWireBytesMax()
                / credits.creditShape().costBytesMean();
        return new ExpectedGoodput(
                linkBps,
                dataPerCost * credits.creditedRateBps() / linkBps,
                PAYLOAD_BYTES,
                DemoPlan.DATA_WIRE_BYTES,
                FRACTION);
    }

    /** {@return the product of the terms} */
    double bps() {
        return fraction * linkBps * dataShare * payloadBytes / frameBytes;
    }
}
