package io.weir.transport.scenario.plan;

import io.weir.transport.protocol.credit.CreditPortConfig;
import io.weir.transport.protocol.credit.CreditSettings;

/**
 * A port of a switch, and how much data it may have to queue so that none is dropped.
 *
 * @param node the switch
 * @param peer the Node at the other end of its link
 * @param linkRateBps the link's rate
 * @param mtuBytes the largest IP packet
 * @param credits how it limits credits
 * @param meter the meter and credit queue that this makes of the link
 * @param burstCredits how many of the smallest credits the meter lets pass at once
 * @param spread the delay spread of equation 1, by its sources; null if there is no bound
 * @param creditBytes data that waiting of credits makes wait: what {@code spread.creditNanos} of the link is
 * @param hostBytes data that spread of hosts makes wait, pauses that are made up for among it
 * @param pathBytes data that paths of different lengths make wait
 * @param dataQueueBytes what the data queue must hold: equation 1 with what the paper leaves out, see {@link
 *     BufferPlan}
 */
public record PortBound(
        String node,
        String peer,
        long linkRateBps,
        int mtuBytes,
        CreditSettings credits,
        CreditPortConfig meter,
        long burstCredits,
        DelayBreakdown spread,
        long creditBytes,
        long hostBytes,
        long pathBytes,
        long dataQueueBytes) {
    /** {@return whether there is a bound: not for ports that wait for each other in a circle} */
    public boolean isBounded() {
        return spread != null;
    }

    /** {@return the buffer of equation 1} */
    public long equationBytes() {
        return creditBytes + hostBytes + pathBytes;
    }
}
