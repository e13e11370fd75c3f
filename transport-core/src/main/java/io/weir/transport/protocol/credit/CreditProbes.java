package io.weir.transport.protocol.credit;

import static io.weir.transport.time.Deadline.NO_DEADLINE;

import io.weir.pacer.CreditPacer;
import io.weir.transport.protocol.FlowPauses;

/**
 * What a receiver does when no echo comes of the credits that should have sufficed. One a flow; O(1); no allocation.
 *
 * <p>The last credits that a backlog needs have none behind them whose echo would show that they were lost. So one more
 * follows soon, and then ever later, as long as that is sooner than to give all up. Should they only have been slow, it
 * finds nothing to send. Where a host's credits are lost, silence is a sign of that soon after a round trip; where none
 * are, it is more likely delay.
 *
 * <p>Not in the paper, whose receiver sends until it is told to stop.
 */
final class CreditProbes {
    private static final int EXPIRY_RTTS = 4;
    private static final int EXPIRY_BACK_OFF_MAX = 6;
    /** How long to wait for news of the last credits before one more asks about them. */
    private static final int PROBE_RTTS = 2;
    /** Where credits are lost, a round trip and this part of it. */
    private static final int PROBE_SLACK_PART = 8;
    /** So many in even steps: where many flows meet, most credits of a flow are lost. */
    private static final int PROBES_EVEN = 8;

    /** So many probes of a host whose credits are lost ask with twice the credits of the one before. */
    private static final int PROBES_GROWING = 4;

    /**
     * The first credits of a backlog of several frames meet meters within microseconds, when these may be full. While
     * none has come back, more follow so many times, this part of a round trip apart, if the host can spare them all.
     */
    private static final int TRAILING_TIMES = 4;

    private static final int TRAILING_CREDITS = 2;
    private static final int TRAILING_RTT_PART = 8;

    private final CreditConfig config;
    private final CreditHost host;
    private final BacklogNeeds needs;
    private final CreditRtt rtt;
    private final CreditPacer pacer;
    private final FlowPauses pauses;
    /** Whether a credit that is due waits for the host's meter, so that all loss is the network's. */
    private final boolean waitsForMeter;

    /** When the latest credit was made; probes and expiry count from it. */
    private long creditSentNanos;
    /** {@code pauses.host().totalNanos()} when the latest credit was made: own pauses do not count as waiting. */
    private long pausedNanosAtCredit;
    /** How often {@link #TRAILING_CREDITS} have followed since the flow began to ask; cleared by {@link #begin}. */
    private int trailingCount;
    /** How often in a row all outstanding credits were given up; each doubles the wait. Cleared by onHeard(). */
    private int expiryCount;
    /** Probes in a row since anything was heard. */
    private int count;
    /** The credits that silence added to what the backlog needs; cleared when all are given up, and by onHeard(). */
    private long credits;
    /** How long to wait before the next probe of one credit; drawn with each such probe. */
    private long waitNanos;

    CreditProbes(
            CreditConfig config,
            CreditHost host,
            BacklogNeeds needs,
            CreditRtt rtt,
            CreditPacer pacer,
            FlowPauses pauses,
            boolean waitsForMeter) {
        this.config = config;
        this.host = host;
        this.needs = needs;
        this.rtt = rtt;
        this.pacer = pacer;
        this.pauses = pauses;
        this.waitsForMeter = waitsForMeter;
    }

    /** The flow begins to ask. */
    void begin() {
        trailingCount = 0;
    }

    /** A credit is made now. */
    void onSent(long nowNanos) {
        creditSentNanos = nowNanos;
        pausedNanosAtCredit = pauses.host().totalNanos();
    }

    /** The sender was heard from. */
    void onHeard() {
        expiryCount = 0;
        count = 0;
        credits = 0;
    }

    /** All outstanding credits are given up. */
    void onGivenUp() {
        credits = 0;
        expiryCount++;
    }

    /** {@return the credits that silence added to what the backlog needs} */
    long credits() {
        return credits;
    }

    /** {@return whether nothing has been heard since a probe, or since credits were given up} */
    boolean isSounding() {
        return count > 0 || expiryCount > 0;
    }

    /** {@return when silence is to be answered by credits, or {@code NO_DEADLINE} if they are given up before} */
    long nextNanos() {
        long wait = count > PROBES_GROWING ? waitNanos : meanWaitNanos();
        return wait == 0 || wait >= expiryWaitNanos() ? NO_DEADLINE : waitedFromNanos() + pauses.peerNanos() + wait;
    }

    /** {@return when all outstanding credits are to be given up} */
    long expiryNanos() {
        long wait = expiryWaitNanos() << Math.min(expiryCount, EXPIRY_BACK_OFF_MAX);
        return waitedFromNanos() + pauses.peerNanos() + wait;
    }

    /** {@return how long to wait for news of the latest credit: by a guess too, since on a slow link one takes long} */
    private long expiryWaitNanos() {
        return Math.max(config.creditExpiryNanos(), EXPIRY_RTTS * rtt.guessNanos());
    }

    /** {@return when the latest credit was made, moved by the time in which this host could not receive its echo} */
    private long waitedFromNanos() {
        return creditSentNanos + pauses.host().totalNanos() - pausedNanosAtCredit;
    }

    private long meanWaitNanos() {
        long rttNanos = rtt.guessNanos();
        if (isTrailing()) {
            return rttNanos / TRAILING_RTT_PART;
        }
        long firstNanos =
                needs.isLossLikely() || isRttFresh() ? rttNanos + rttNanos / PROBE_SLACK_PART : PROBE_RTTS * rttNanos;
        return firstNanos * Math.max(1, count - PROBES_EVEN);
    }

    /** {@return whether the next silence is for credits that follow the first ones before any can have come back} */
    private boolean isTrailing() {
        long frames = needs.frames();
        return trailingCount < TRAILING_TIMES
                && count == 0
                && waitsForMeter
                && !needs.hasEcho()
                && frames >= HostDelivery.SEVERAL_FRAMES
                && frames <= HostDelivery.FEW_FRAMES
                && needs.creditsForShort(frames) > frames
                && host.spares().forOneFlow() > TRAILING_TIMES * TRAILING_CREDITS;
    }

    /**
     * {@return whether a credit has come back since the flow began to ask} Those behind it left within some
     * microseconds, and take as long as it did.
     */
    private boolean isRttFresh() {
        return waitsForMeter && count == 0 && needs.hasEcho();
    }

    /** {@return whether credits were added that answer the silence: not if it is time to give all up} */
    boolean onSilence(long nowNanos) {
        if (isTrailing()) {
            trailingCount++;
            credits += TRAILING_CREDITS;
            return true;
        }
        if (nowNanos >= expiryNanos()) {
            return false;
        }
        count++;
        credits += creditsOfOne();
        if (count > PROBES_GROWING) {
            // Flows that begin together would else go on to probe together, and lose most of the probes.
            waitNanos = pacer.spreadNanos(meanWaitNanos());
        }
        return true;
    }

    /**
     * {@return how many credits ask after silence} Each silence makes it more likely that this flow loses more than its
     * host's others; a long one, that its sender is gone. One asks even where the host cannot afford any.
     */
    private long creditsOfOne() {
        if (!waitsForMeter) {
            return host.delivery().creditsFor(1);
        }
        long wanted = needs.isLossLikely() && count <= PROBES_GROWING
                ? needs.creditsForShort(1) << (count - 1)
                : host.delivery().creditsFor(1);
        return Math.min(wanted, Math.max(1, host.spares().forOneFlow()));
    }
}
