package io.weir.pacer;

/**
 * When a link of a given rate can start its next frame. Serialization times are exact: the fraction of a nanosecond
 * that a frame ends after its rounded end is carried into the next.
 *
 * <p>A driver that polls late would lose the link's time since the frame before ended. So a frame may start in the
 * past, but not before it arrived, nor before the frame ahead of it ended, nor more than {@code catchUpNanos} ago: after a
 * pause a drain never bursts by more than that. And a driver that polls every few microseconds would let one short frame
 * hold up the next until the next poll; so frames may be let go up to {@code aheadNanos} early, to leave together. In
 * virtual time nobody is late or coarse, and both allowances are zero.
 *
 * <p>Owned by one thread. No allocation.
 */
public final class LinkDrain {
    private final long rateBps;
    private final long catchUpNanos;
    private final long aheadNanos;
    private long freeNanos;
    private long remainderNanobits;

    /** Creates an idle link that lets nothing go early. */
    public LinkDrain(long rateBps, long catchUpNanos) {
        this(rateBps, catchUpNanos, 0);
    }

    /** Creates an idle link that lets frames go up to {@code aheadNanos} early. */
    public LinkDrain(long rateBps, long catchUpNanos, long aheadNanos) {
        this.rateBps = RateMath.requireRate("rateBps", rateBps);
        this.catchUpNanos = catchUpNanos;
        this.aheadNanos = aheadNanos;
    }

    /** {@return the time at which the frame before has left} */
    public long freeNanos() {
        return freeNanos;
    }

    /** {@return the time from which the next frame may be let go} */
    public long readyNanos() {
        return freeNanos - aheadNanos;
    }

    /** {@return whether a frame may be let go now} */
    public boolean isFree(long nowNanos) {
        return freeNanos - aheadNanos <= nowNanos;
    }

    /**
     * Starts a frame, {@link #isFree} having said yes.
     *
     * @param wireBytes what the frame occupies, with preamble, check sequence and gap
     * @param arrivalNanos when the frame became ready to leave
     * @return the time at which its first bit leaves
     */
    public long start(int wireBytes, long arrivalNanos, long nowNanos) {
        long startNanos = Math.max(freeNanos, Math.max(arrivalNanos, nowNanos - catchUpNanos));
        if (startNanos > freeNanos) {
            remainderNanobits = 0;
        }
        long nanobits = RateMath.nanobits(wireBytes) + remainderNanobits;
        freeNanos = startNanos + nanobits / rateBps;
        remainderNanobits = nanobits % rateBps;
        return startNanos;
    }

    /** {@return the rate of the link} */
    public long rateBps() {
        return rateBps;
    }
}
