package io.weir.pacer;

/**
 * When a flow may send its next frame at a rate that changes from frame to frame. Exact: the fraction of a nanosecond is carried.
 * Polled late, it catches up by {@code catchUpNanos} and no more.
 *
 * <p>Owned by one thread. No allocation.
 */
public final class RatePacer {
    private final long catchUpNanos;
    private long nextNanos;
    private long remainderNanobits;

    /** Creates a pacer whose first frame may leave at once. */
    public RatePacer(long catchUpNanos) {
        this.catchUpNanos = catchUpNanos;
    }

    /** {@return when the next frame may leave} */
    public long nextNanos() {
        return nextNanos;
    }

    /** A frame of {@code wireBytes} leaves; the next follows as {@code rateBps} has it. */
    public void onSent(int wireBytes, long rateBps, long nowNanos) {
        long startNanos = Math.max(nextNanos, nowNanos - catchUpNanos);
        if (startNanos > nextNanos) {
            remainderNanobits = 0;
        }
        long nanobits = RateMath.nanobits(wireBytes) + remainderNanobits;
        nextNanos = startNanos + nanobits / rateBps;
        remainderNanobits = nanobits % rateBps;
    }
}
