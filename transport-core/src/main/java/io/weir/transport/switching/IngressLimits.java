package io.weir.transport.switching;

import io.weir.pacer.RateMath;
import io.weir.pacer.TokenBucket;
import io.weir.transport.frame.Frame;
import io.weir.transport.protocol.credit.CreditPortConfig;
import io.weir.transport.wire.CreditHeader;
import io.weir.transport.wire.Ethernet;

/**
 * What one port of a switch may send to everybody, and from when on its credits are a flood. The switch's thread owns
 * it; O(1), no allocation.
 *
 * <p>A frame that goes to every port takes from each of them what only one port asked for. It has no credit, so the
 * usual limit is what meters leave to such frames: a hundredth of the link.
 *
 * <p>A credit that comes in by a port brings data that leaves by it. A port that sends more credits than its own link
 * can be filled with floods: its credits give way wherever others wait.
 */
final class IngressLimits {
    /** Frames of the full length that may come at once: as many as a host sends that looks for its neighbours. */
    private static final int FLOOD_BURST_FRAMES = 16;
    /**
     * A port floods when its credits are for an eighth more than its link: credits of different lengths, and what is
     * left to frames without a credit, change their number by up to a tenth.
     */
    private static final int CREDIT_MARGIN_SHIFT = 3;

    /** Null where everything may be flooded. */
    private final TokenBucket floods;
    /** Null where the port meters no credits, so that nobody knows what they cost. */
    private final TokenBucket creditsOfLink;

    private final CreditPortConfig credits;
    /** How long a port that flooded counts as one that does: until the burst could have come back. */
    private final long floodNanos;
    /** Until when all credits of the port give way; raised by each that is too many. */
    private long floodUntilNanos;

    IngressLimits(SwitchPortConfig config) {
        int frameBytes = config.mtuBytes() + Ethernet.FRAMING_BYTES;
        floods = config.floodRateBps() >= config.linkRateBps()
                ? null
                : new TokenBucket(config.floodRateBps(), (long) FLOOD_BURST_FRAMES * frameBytes);
        credits = config.credits();
        creditsOfLink = credits == null ? null : newAllowance(credits);
        floodNanos = creditsOfLink == null
                ? 0
                : RateMath.serializationNanosCeil(creditsOfLink.burstBytes(), creditsOfLink.rateBps());
    }

    private static TokenBucket newAllowance(CreditPortConfig credits) {
        long rateBps = credits.rateBps() + (credits.rateBps() >> CREDIT_MARGIN_SHIFT);
        int longestBytes = credits.creditShape().wireBytesMax();
        // What another meter lets pass at once, and what waits behind it.
        long waiting = Math.max(1, credits.queueBytesMax() / longestBytes);
        long burstBytes = credits.burstBytes() + waiting * credits.chargeBytes(longestBytes, 1);
        return new TokenBucket(rateBps, burstBytes, burstBytes);
    }

    /** {@return whether a frame that came in by the port may go to every other one} */
    boolean admitsFlood(Frame frame, long nowNanos) {
        return floods == null || floods.tryTake(frame.wireBytes(), nowNanos);
    }

    /** {@return whether a credit that came in by the port is one of a flood} */
    boolean isCreditFlooding(Frame credit, long nowNanos) {
        if (creditsOfLink == null) {
            return false;
        }
        int chargeBytes = credits.chargeBytes(credit.wireBytes(), CreditHeader.frames(credit));
        if (!creditsOfLink.tryTake(chargeBytes, nowNanos)) {
            floodUntilNanos = nowNanos + floodNanos;
        }
        return nowNanos < floodUntilNanos;
    }
}
