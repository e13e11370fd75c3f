package io.weir.transport.flow;

/**
 * Smoothed round-trip time and retransmission time-out, RFC 6298 section 2, in integer nanoseconds.
 *
 * <p>Deviation: the bounds are parameters, because the RFC's first second and least second are for the Internet; a data
 * centre's round trips are microseconds. Half of the least time-out stands for the clock's granularity G: where round
 * trips are equal for long, their variation is nothing, and the first that takes longer would be taken for a loss.
 */
public final class RttEstimator {
    private final long timeoutNanosMin;
    private final long timeoutNanosMax;
    private final long granularityNanos;
    private long smoothedNanos;
    private long variationNanos;
    private long timeoutNanos;
    private boolean sampled;

    /** Creates an estimator without a sample, whose time-out is {@code timeoutNanosInitial}. */
    public RttEstimator(long timeoutNanosInitial, long timeoutNanosMin, long timeoutNanosMax) {
        this.timeoutNanosMin = timeoutNanosMin;
        this.timeoutNanosMax = timeoutNanosMax;
        this.granularityNanos = timeoutNanosMin / 2;
        this.timeoutNanos = timeoutNanosInitial;
    }

    /** Takes a measurement; it also ends any back-off. */
    public void onSample(long rttNanos) {
        if (rttNanos <= 0) {
            return;
        }
        if (sampled) {
            // RTTVAR <- 3/4 RTTVAR + 1/4 |SRTT - R'|; SRTT <- 7/8 SRTT + 1/8 R'
            variationNanos += (Math.abs(smoothedNanos - rttNanos) - variationNanos) / 4;
            smoothedNanos += (rttNanos - smoothedNanos) / 8;
        } else {
            smoothedNanos = rttNanos;
            variationNanos = rttNanos / 2;
            sampled = true;
        }
        timeoutNanos = bounded(smoothedNanos + Math.max(granularityNanos, 4 * variationNanos));
    }

    /** Doubles the time-out (section 5.5). */
    public void backOff() {
        timeoutNanos = bounded(timeoutNanos * 2);
    }

    /** {@return the smoothed round-trip time, or 0 before the first sample} */
    public long smoothedNanos() {
        return smoothedNanos;
    }

    /** {@return how much samples differ from the smoothed time, on average, or 0 before the first one} */
    public long variationNanos() {
        return variationNanos;
    }

    /** {@return how long to wait for an acknowledgement} */
    public long timeoutNanos() {
        return timeoutNanos;
    }

    private long bounded(long nanos) {
        return Math.max(timeoutNanosMin, Math.min(timeoutNanosMax, nanos));
    }
}
