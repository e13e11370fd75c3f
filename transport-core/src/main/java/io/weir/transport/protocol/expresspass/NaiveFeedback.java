package io.weir.transport.protocol.expresspass;

import io.weir.transport.protocol.credit.FeedbackControl;

/** No feedback: always the highest rate (ExpressPass section 2). */
final class NaiveFeedback implements FeedbackControl {
    private final long rateBps;

    NaiveFeedback(long rateMaxBps) {
        this.rateBps = rateMaxBps;
    }

    @Override
    public long rateBps() {
        return rateBps;
    }

    @Override
    public void onPeriod(int total, int lost, long periodNanos, long rttNanos) {
        // Whatever is lost, the rate stays.
    }
}
