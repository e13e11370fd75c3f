package io.weir.pacer;

/**
 * Spaces the credits of one flow: when the next one leaves and how long it is. One instance per flow; a heap over the
 * flows' {@link #nextNanos()} makes a host's pacing O(log flows) a credit.
 *
 * <p>The rate is a <em>credited</em> rate: the link bits per second that the credits and the frames which they permit
 * occupy together, 0 to the link's own rate. Counted so, the arithmetic is the same for every credit and frame size.
 *
 * <p>Source: ExpressPass (SIGCOMM 2017) section 3.1, "Ensuring fair credit drop": jitter between credits, and credit
 * sizes drawn from 84 to 92 bytes. Each gap is measured from the departure scheduled before it (a random walk, as in
 * the authors' code), so that phases of equal flows drift apart; its mean is exact because the jitter is symmetric and
 * the fraction of a nanosecond is carried.
 *
 * <p>Owned by one thread. No allocation. A pacer polled late catches up as far as its host's {@link CatchUp} allows.
 */
public final class CreditPacer {
    private static final int PPM = 1_000_000;
    private static final int SPREAD_PART = 4;

    private final CreditShape shape;
    private final SeededRandom random;
    private final CatchUp catchUp;
    private final long costNanobits;
    /** The credited rate, in link bits of credits and their frames; written by restart and setRate. */
    private long rateBps;
    /** When the next credit is due; moved forward by each one sent, back by a rise of the rate alone. */
    private long nextNanos;
    // The mean gap behind the latest credit, and what is left of the division by the rate, which the next gap gets.
    private long gapNanos;
    private long remainderNanobits;
    /** Frames that the latest credit granted: how many the gap behind it covers. */
    private int frames = 1;

    /** Creates a pacer whose first credit is due at {@code startNanos}. */
    public CreditPacer(CreditShape shape, SeededRandom random, CatchUp catchUp, long rateBps, long startNanos) {
        this.shape = shape;
        this.random = random;
        this.catchUp = catchUp;
        this.costNanobits = RateMath.nanobits(shape.costBytesMean());
        this.rateBps = RateMath.requireRate("rateBps", rateBps);
        this.nextNanos = startNanos;
    }

    /** {@return when the next credit is due} */
    public long nextNanos() {
        return nextNanos;
    }

    /** {@return the credited rate} */
    public long rateBps() {
        return rateBps;
    }

    /** Begins again, the next credit due at once: for a flow that asks again after it had stopped. */
    public void restart(long newRateBps, long nowNanos) {
        rateBps = newRateBps;
        nextNanos = Math.max(nextNanos, nowNanos);
        remainderNanobits = 0;
    }

    /** Changes the rate. A credit already waiting leaves earlier when the new rate asks for it, never later. */
    public void setRate(long newRateBps, long nowNanos) {
        if (newRateBps > rateBps) {
            nextNanos = Math.min(nextNanos, nowNanos + frames * costNanobits / newRateBps);
        }
        rateBps = newRateBps;
    }

    /** {@return the wire size of the credit that leaves now, drawn each time} */
    public int nextWireBytes() {
        return shape.wireBytesMin() == shape.wireBytesMax()
                ? shape.wireBytesMin()
                : random.nextIntInclusive(shape.wireBytesMin(), shape.wireBytesMax());
    }

    /** {@return {@code nanos}, or up to a quarter more or less, drawn each time with this mean} */
    public long spreadNanos(long nanos) {
        long spreadNanos = nanos / SPREAD_PART;
        return nanos - spreadNanos + random.nextLong(2 * spreadNanos + 1);
    }

    /** {@return how many frames, each with a credit, the rate lets pass in {@code nanos}, rounded down} */
    public long framesIn(long nanos) {
        return nanos * rateBps / costNanobits;
    }

    /** {@return what a credit and its frame are on the link, on average, in nanobits} */
    public long costNanobits() {
        return costNanobits;
    }

    /**
     * Says that the credit due has left (or was refused by the host's own credit queue) and schedules the next.
     *
     * @param newFrames how many frames it grants: the gap behind it is as many times as long
     */
    public void onSent(int newFrames, long nowNanos) {
        takeGap(newFrames);
        schedule(nowNanos - catchUp.nanos(nowNanos));
    }

    /**
     * Says that the credit due has left after it had waited for its turn at the host's link, and schedules the next.
     * The wait is no part of the gap, up to a whole gap: a flow that waits keeps its rate, and one that waits longer is
     * due again at once.
     *
     * @param newFrames how many frames it grants
     */
    public void onSentInTurn(int newFrames, long nowNanos) {
        takeGap(newFrames);
        schedule(nowNanos - Math.max(gapNanos, catchUp.nanos(nowNanos)));
    }

    private void takeGap(int newFrames) {
        frames = newFrames;
        long nanobits = frames * costNanobits + remainderNanobits;
        gapNanos = nanobits / rateBps;
        remainderNanobits = nanobits % rateBps;
    }

    private void schedule(long earliestNanos) {
        nextNanos = Math.max(nextNanos, earliestNanos) + gapNanos + jitterNanos();
    }

    private long jitterNanos() {
        if (shape.jitterPpm() == 0) {
            return 0;
        }
        long spreadNanos = RateMath.mulDivFloor(gapNanos, shape.jitterPpm(), PPM);
        return random.nextLong(2 * spreadNanos + 1) - spreadNanos;
    }
}
