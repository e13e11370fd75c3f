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
    /** Fewer credits without an answer may be chance, or the jitter of a round trip. */
    private static final int SILENT_CREDITS_MIN = 8;

    private final FeedbackControl feedback;
    private final CreditPacer pacer;
    private final CreditLossMeter lossMeter;
    private final CreditRtt rtt;
    private final FlowPauses pauses;
    private final FrameArrivals arrivals;
    private final UseRate use;
    private final CreditSilence silence = new CreditSilence();

    /** When the rate was updated last, the start of the current period. */
    private long updatedNanos;
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
        noteWire();
        lossMeter.startPeriod(nextSequence);
        silence.restart(nextSequence, pauses.host().totalNanos(), nowNanos);
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
        boolean hasUseChanged =
                !feedback.countsWasteAsLoss() && use.onTime(feedback.rateBps(), rtt.smoothedNanos(), nowNanos);
        if (feedback.onTime(nowNanos) || hasUseChanged) {
            pacer.setRate(rateBps(), nowNanos);
        }
        if (isMetered && feedback.countsSilence()) {
            countSilence(nextSequence, nowNanos);
        }
        // A flow in a crowd may wait for its first sample for long, and has a guess.
        long rttNanos = feedback.countsSilence() ? rtt.guessNanos() : rtt.smoothedNanos();
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

    /**
     * Where many flows begin at once, most of a flow's credits are lost, and the next echo that shows it comes many
     * round trips later. What should have been echoed by now costs at once.
     */
    private void countSilence(long nextSequence, long nowNanos) {
        long rttNanos = rtt.guessNanos();
        if (rttNanos == 0
                || !silence.isTimeToLook(nextSequence, rttNanos, pauses.host().totalNanos(), nowNanos)
                || lossMeter.total() > 0) {
            return;
        }
        long overdueEnd = silence.overdueEnd();
        long silent = overdueEnd - 1 - lossMeter.counted();
        if (silent >= SILENT_CREDITS_MIN) {
            int count = (int) Math.min(silent, Integer.MAX_VALUE);
            feedback.onPeriod(count, count, nowNanos - updatedNanos, rttNanos);
            endPeriod(overdueEnd, nowNanos);
        }
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
