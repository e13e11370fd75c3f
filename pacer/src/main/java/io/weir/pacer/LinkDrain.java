package io.weir.pacer;

/**
 * When a link of a given rate can start its next frame. Serialization times are exact: the fraction of a nanosecond
 * that a frame ends after its rounded end is carried into the next.
 *
 * <p>A driver that polls late would lose the link's time since the frame before ended. So a frame may start in the
 * past, but not before it arrived, nor before the frame ahead of it ended, nor more than {@code catchUpNanos} ago:
 * after a pause a drain bursts by no more than that and what {@link #makeUp} adds. And a driver that polls every few
 * microseconds would let one short frame hold up the next until the next poll; so frames may be let go up to {@code
 * aheadNanos} early, to leave together. In virtual time nobody is late or coarse, and both allowances are zero.
 *
 * <p>Owned by one thread. No allocation.
 */
public final class LinkDrain {
    /** The link's rate; set by {@link #setRateBps}. */
    private long rateBps;

    private final long catchUpNanos;
    private final long aheadNanos;
    /** When the frame before has left; frames that make up for a pause leave at once. */
    private long freeNanos;
    /** Fraction of a nanosecond by which the frame before ends after {@link #freeNanos}, in nanobits. */
    private long remainderNanobits;
    /** Bytes that may leave beyond the rate, to make up for pauses; added by {@link #makeUp}, used up by frames. */
    private long makeUpBytes;

    /** Creates an idle link. */
    public LinkDrain(long rateBps, Slack slack) {
        this.rateBps = RateMath.requireRate("rateBps", rateBps);
        this.catchUpNanos = slack.catchUpNanos();
        this.aheadNanos = slack.aheadNanos();
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
        if (wireBytes <= makeUpBytes) {
            makeUpBytes -= wireBytes;
            freeNanos = Math.max(freeNanos, nowNanos);
            return nowNanos;
        }
        makeUpBytes = 0;
        long startNanos = Math.max(freeNanos, Math.max(arrivalNanos, nowNanos - catchUpNanos));
        if (startNanos > freeNanos) {
            remainderNanobits = 0;
        }
        long nanobits = RateMath.nanobits(wireBytes) + remainderNanobits;
        freeNanos = startNanos + nanobits / rateBps;
        remainderNanobits = nanobits % rateBps;
        return startNanos;
    }

    /**
     * Lets {@code bytes} leave beyond the rate, because nobody polled the link while they could have left. What is
     * allowed and not used adds up to {@code bytesMax} and no more, so that the link sends at most its rate and {@code
     * bytesMax} over any time.
     */
    public void makeUp(long bytes, long bytesMax) {
        makeUpBytes = Math.min(bytesMax, makeUpBytes + bytes);
    }

    /** Changes the rate for the frames that follow. */
    public void setRateBps(long newRateBps) {
        rateBps = RateMath.requireRate("rateBps", newRateBps);
        // A fraction of a nanosecond, in units of the rate.
        remainderNanobits = 0;
    }

    /** {@return bytes that may still leave beyond the rate} */
    public long makeUpBytes() {
        return makeUpBytes;
    }

    /** {@return bytes of started frames that have not left by {@code nowNanos}; 0 when the link is idle} */
    public long bytesLeft(long nowNanos) {
        long nanos = freeNanos - nowNanos;
        return nanos <= 0 ? 0 : RateMath.bytesInNanosFloor(nanos, rateBps);
    }

    /** {@return the rate of the link} */
    public long rateBps() {
        return rateBps;
    }
}
