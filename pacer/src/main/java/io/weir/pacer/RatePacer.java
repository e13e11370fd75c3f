package io.weir.pacer;

/**
 * When a flow may send its next frame at a rate that may change at any time. Exact: the fraction of a nanosecond is
 * carried. Polled late, it catches up as far as its host's {@link CatchUp} allows.
 *
 * <p>Owned by one thread. No allocation.
 */
public final class RatePacer {
    private final CatchUp catchUp;
    // When the latest frame began, and its wire size in nanobits: what a new rate schedules the next frame from.
    private long startNanos;
    private long frameNanobits;
    /** The rate in wire bits per second, 0 for none; written by schedule alone. */
    private long rateBps;
    // When the next frame may leave, and what is left of the division by the rate, which the next gap gets.
    private long nextNanos;
    private long remainderNanobits;

    /** Creates a pacer whose first frame may leave at once. */
    public RatePacer(CatchUp catchUp) {
        this.catchUp = catchUp;
    }

    /** {@return when the next frame may leave} */
    public long nextNanos() {
        return nextNanos;
    }

    /** A frame of {@code wireBytes} leaves; the next follows as {@code newRateBps} has it, or at once for 0. */
    public void onSent(int wireBytes, long newRateBps, long nowNanos) {
        long beginNanos = Math.max(nextNanos, nowNanos - catchUp.nanos(nowNanos));
        // What is left of a nanosecond at one rate may be seconds at another: it is carried at the same rate only.
        boolean isCarried = beginNanos == nextNanos && newRateBps == rateBps;
        startNanos = beginNanos;
        frameNanobits = RateMath.nanobits(wireBytes);
        schedule(newRateBps, isCarried ? remainderNanobits : 0);
    }

    /** The rate is another from now on, for the frame that follows the latest too. */
    public void setRate(long newRateBps) {
        if (newRateBps != rateBps) {
            schedule(newRateBps, 0);
        }
    }

    private void schedule(long newRateBps, long carriedNanobits) {
        rateBps = newRateBps;
        long owedNanobits = frameNanobits + carriedNanobits;
        nextNanos = startNanos + (newRateBps == 0 ? 0 : owedNanobits / newRateBps);
        remainderNanobits = newRateBps == 0 ? 0 : owedNanobits % newRateBps;
    }
}
