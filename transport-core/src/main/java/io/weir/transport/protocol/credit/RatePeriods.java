package io.weir.transport.protocol.credit;

import io.weir.pacer.CreditPacer;
import io.weir.transport.protocol.FlowPauses;
import io.weir.transport.protocol.FrameArrivals;

/**
 * The update periods of a flow's rate: what became known in each goes to the {@link FeedbackControl}, whose rate goes
 * to the pacer. The rate is a {@link UseRate}'s too, unless the control counts wasted credits as lost and so slows down
 * by itself. One a flow, receiver side; O(1); no allocation.
 *
 * <p>Source: ExpressPass section 3.2, Algorithm 1, line 3.
 */
final class RatePeriods {
    private final FeedbackControl feedback;
    private final CreditPacer pacer;
    private final CreditLossMeter lossMeter;
    private final CreditRtt rtt;
    private final FlowPauses pauses;
    private final FrameArrivals arrivals;
    private final UseRate use;

    /** When the rate was updated last, the start of the current period. */
    private long updatedNanos;
    /** The host's own pauses until the latest credit; written by {@link #tellCredit} and {@link #begin}. */
    private long pausedNanos;
    /** {@code arrivals.arrived()} when the rate was last updated. */
    private long arrivedAtUpdate;
    /** {@code arrivals.missing()} then. */
    private long missingAtUpdate;

    RatePeriods(
            FeedbackControl feedback,
            CreditPacer pacer,
            CreditLossMeter lossMeter,
            CreditRtt rtt,
            FlowPauses pauses,
            FrameArrivals arrivals) {
        this.feedback = feedback;
        this.pacer = pacer;
        this.lossMeter = lossMeter;
        this.rtt = rtt;
        this.pauses = pauses;
        this.arrivals = arrivals;
        this.use = new UseRate(pacer.costNanobits());
    }

    /** The flow begins to ask, with the credit {@code nextSequence}. */
    void begin(long nextSequence, long nowNanos) {
        use.restart(nowNanos);
        updatedNanos = nowNanos;
        pausedNanos = pauses.host().totalNanos();
        noteWire();
        lossMeter.startPeriod(nextSequence);
    }

    /** Data came for a credit, and said that {@code newSurplus} others had come too fast. */
    void onEcho(long newSurplus) {
        use.onEcho(newSurplus);
    }

    private void noteWire() {
        arrivedAtUpdate = arrivals.arrived();
        missingAtUpdate = arrivals.missing();
    }

    // = expresspass Algorithm 1, line 3: "repeat per update period (RTT by default)"
    /** Ends the current period if it is long enough; before each credit. */
    void update(long nextSequence, boolean isMetered, long nowNanos) {
        boolean hasChanged = feedback.onTime(nowNanos);
        hasChanged |= isMetered && tellCredit(nextSequence);
        hasChanged |= !feedback.countsWasteAsLoss() && use.onTime(feedback.rateBps(), rtt.smoothedNanos(), nowNanos);
        if (hasChanged) {
            pacer.setRate(rateBps(), nowNanos);
        }
        long rttNanos = rtt.smoothedNanos();
        // The first credits sent at a new rate are echoed a round trip later; another one measures them.
        long periodNanosMin = feedback.countsOnlyCurrentRate() ? 2 * rttNanos : rttNanos;
        long periodNanos = nowNanos - updatedNanos;
        if (rttNanos != 0 && periodNanos >= periodNanosMin && lossMeter.total() != 0) {
            feedback.onWire(arrivals.arrived() - arrivedAtUpdate, arrivals.missing() - missingAtUpdate);
            noteWire();
            feedback.onPeriod(lossMeter.total(), lossMeter.lost(), periodNanos, rttNanos);
            endPeriod(feedback.countsOnlyCurrentRate() ? nextSequence : 0, nowNanos);
        }
    }

    private boolean tellCredit(long nextSequence) {
        long pausedBefore = pausedNanos;
        pausedNanos = pauses.host().totalNanos();
        return feedback.onCredit(nextSequence, rtt.guessNanos(), pausedNanos != pausedBefore);
    }

    private void endPeriod(long firstSequence, long nowNanos) {
        lossMeter.startPeriod(firstSequence);
        updatedNanos = nowNanos;
        pacer.setRate(rateBps(), nowNanos);
    }

    /** {@return the rate now, in credited bit/s} */
    long rateBps() {
        return Math.min(feedback.rateBps(), use.limitBps());
    }
}
