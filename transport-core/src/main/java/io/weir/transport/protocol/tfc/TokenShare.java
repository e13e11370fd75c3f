package io.weir.transport.protocol.tfc;

import io.weir.pacer.RateMath;
import io.weir.transport.protocol.PartSettings;

/**
 * What a port gives away in a round trip, and each flow's part of it. One instance per port; O(1); integers alone.
 *
 * <p>Source: TFC sections 4.3 to 4.5, equations 3 to 8. What is averaged is the factor rho0/rho by which the tokens
 * differ from c x rtt_b, not the tokens: with an unchanged rtt_b that is equation 8, and a new rtt_b counts at once.
 *
 * <p>Equation 7 as printed starts each slot from c x rtt_b again. Where round trips take r times rtt_b on average,
 * since hosts take their time, it settles at a utilization of the root of rho0/r, and not at rho0. Corrected from
 * slot to slot it reaches rho0, as section 6.1.2 shows.
 */
final class TokenShare {
    private static final long PPM = 1_000_000;
    /** From here on the gain still finds its way back within some tens of slots. */
    private static final long GAIN_PPM_MIN = 10_000;

    private final long rho0Ppm;
    private final long alphaPpm;
    private final long gainPpmMax;
    private final long linkRateBps;
    private final int frameWireBytes;
    /** The smoothed factor rho0/rho, in parts per million: GAIN_PPM_MIN to gainPpmMax; moved by onSlot. */
    private long gainPpm = PPM;
    // What the link passes in a round trip without queues, and T, what all flows together may send in one; written by
    // setTokens: tokenBytes >= frameWireBytes.
    private long linkBytes;
    private long tokenBytes;
    // Effective flows, at least 1: of the latest slot, and those that windows are for. Between slots onFlows may raise
    // the second: flows >= slotFlows.
    private long slotFlows = 1;
    private long flows = 1;
    /** W = tokenBytes / flows; written whenever one of the two changes. */
    private long windowBytes;

    TokenShare(PartSettings settings, long linkRateBps, int frameWireBytes, long rttNanos) {
        rho0Ppm = settings.whole(TfcPort.RHO0);
        alphaPpm = settings.whole(TfcPort.ALPHA);
        gainPpmMax = settings.whole(TfcPort.GAIN) * PPM;
        this.linkRateBps = linkRateBps;
        this.frameWireBytes = frameWireBytes;
        setTokens(rttNanos);
    }

    /**
     * A time slot has ended.
     *
     * @param rttNanos the round-trip time without queues, rtt_b
     * @param slotNanos how long the slot was, rtt_m
     * @param loadBytes what there was for the link in it, A
     * @param effectiveFlows the round marks in it, E
     */
    void onSlot(long rttNanos, long slotNanos, long loadBytes, long effectiveFlows) {
        // = tfc equation 7: "rho[n] = A[n] / (c x rtt_m[n])"
        long slotBytes = Math.max(1, linkBytesIn(slotNanos));
        long rhoPpm = Math.max(1, RateMath.mulDivFloor(loadBytes, PPM, slotBytes));
        // = tfc equation 7: "T[n] = c x rtt_b[n] x rho0 / rho[n]"; deviation: the factor corrects the one before. And
        // it is bounded, for a link that was idle has a rho near 0 and would give away its buffer many times over.
        long slotGainPpm = Math.max(GAIN_PPM_MIN, Math.min(gainPpmMax, gainPpm * rho0Ppm / rhoPpm));
        // = tfc equation 8: "T[n] = alpha x T[n-1] + (1 - alpha) x T[n]"
        gainPpm = (alphaPpm * gainPpm + (PPM - alphaPpm) * slotGainPpm) / PPM;
        slotFlows = effectiveFlows;
        flows = effectiveFlows;
        setTokens(rttNanos);
    }

    private void setTokens(long rttNanos) {
        linkBytes = linkBytesIn(rttNanos);
        tokenBytes = Math.max(frameWireBytes, linkBytes * gainPpm / PPM);
        // = tfc equation 2: "W[n+1] = T[n] / E[n]"
        windowBytes = tokenBytes / flows;
    }

    /** More flows than in the slot before have shown themselves already: their windows need not wait for its end. */
    void onFlows(long countSoFar) {
        if (countSoFar > flows) {
            flows = countSoFar;
            windowBytes = tokenBytes / flows;
        }
    }

    private long linkBytesIn(long nanos) {
        return Math.min(RateMath.BYTES_MAX, RateMath.bytesInNanosFloor(nanos, linkRateBps));
    }

    /** {@return what a flow may send in a round trip, W} */
    long windowBytes() {
        return windowBytes;
    }

    /** {@return what all flows may send in a round trip, T} */
    long tokenBytes() {
        return tokenBytes;
    }

    /** {@return what the link passes in a round trip without queues} */
    long linkBytes() {
        return linkBytes;
    }

    /** {@return the effective flows of the latest slot that has ended, E} */
    long slotFlows() {
        return slotFlows;
    }

    /**
     * {@return the effective flows that windows are for: those of the latest slot, or more if more have shown
     * themselves since}
     */
    long flows() {
        return flows;
    }
}
