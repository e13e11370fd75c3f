package io.weir.pacer;

/**
 * A token bucket that is exact over any time: tokens are nanobits (see {@link RateMath}), of which the rate adds a
 * whole number each nanosecond, so nothing is rounded and no remainder needs carrying.
 *
 * <p>Owned by one thread. No allocation; one multiplication a call. Time must not run backwards.
 *
 * <p>Invariant: -max(debt, {@value #OWED_BYTES_MAX} B) &lt;= tokens &lt;= burst, but for what {@link #makeUp} has added
 * and nobody has taken. Time alone never fills the bucket beyond its burst, however long it is not looked at. A bucket
 * without debt, the usual one, refuses what is more than its burst. With debt, that may pass when the bucket is full,
 * and all of it is paid for before anything else passes; so is what has passed without asking ({@link #owe}).
 */
public final class TokenBucket {
    /** What {@link #owe} leaves to be paid for at most; more is forgiven. */
    static final long OWED_BYTES_MAX = 1 << 20;

    private final long burstBytes;
    private final long burstNanobits;
    private final long debtBytesMax;
    /** What is added each nanosecond, in nanobits; set by {@link #setRateBps}. */
    private long rateBps;
    /** How long an empty bucket takes to be full; follows the rate. */
    private long fillNanos;
    /** Tokens in the bucket, in nanobits; more than the burst only by {@link #makeUp}, less than 0 only with debt. */
    private long tokensNanobits;
    /** Time up to which the rate has added tokens. */
    private long refilledNanos;

    /**
     * Creates a full bucket.
     *
     * @throws IllegalArgumentException if the rate or the burst is outside the bounds of {@link RateMath}
     */
    public TokenBucket(long rateBps, long burstBytes) {
        this(rateBps, burstBytes, 0);
    }

    /**
     * Creates a full bucket from which {@code debtBytesMax} beyond the burst may be taken at once.
     *
     * @throws IllegalArgumentException if the rate, or the burst with the debt, is outside the bounds of {@link
     *     RateMath}
     */
    public TokenBucket(long rateBps, long burstBytes, long debtBytesMax) {
        if (debtBytesMax < 0 || debtBytesMax > RateMath.BYTES_MAX - Math.min(burstBytes, RateMath.BYTES_MAX)) {
            throw new IllegalArgumentException("debtBytesMax=" + debtBytesMax + " and burstBytes=" + burstBytes
                    + " must be 0.." + RateMath.BYTES_MAX + " together");
        }
        if (burstBytes <= 0 || burstBytes > RateMath.BYTES_MAX) {
            throw new IllegalArgumentException("burstBytes=" + burstBytes + " is outside 1.." + RateMath.BYTES_MAX);
        }
        this.rateBps = RateMath.requireRate("rateBps", rateBps);
        this.burstBytes = burstBytes;
        this.burstNanobits = RateMath.nanobits(burstBytes);
        this.debtBytesMax = debtBytesMax;
        this.fillNanos = fillNanos();
        this.tokensNanobits = burstNanobits;
    }

    /**
     * {@return whether the tokens of {@code bytes}, or as many as the bucket holds, were all there; then all are taken}
     */
    public boolean tryTake(int bytes, long nowNanos) {
        refill(nowNanos);
        if (bytes > burstBytes + debtBytesMax) {
            return false;
        }
        long cost = RateMath.nanobits(bytes);
        if (Math.min(cost, burstNanobits) > tokensNanobits) {
            return false;
        }
        tokensNanobits -= cost;
        return true;
    }

    /**
     * {@return the earliest time at which {@link #tryTake} of {@code bytes} succeeds if nobody else takes any;
     * {@code Long.MAX_VALUE}, never, for more than the burst and the debt}
     */
    public long availableNanos(int bytes, long nowNanos) {
        refill(nowNanos);
        if (bytes > burstBytes + debtBytesMax) {
            return Long.MAX_VALUE;
        }
        long missing = Math.min(RateMath.nanobits(bytes), burstNanobits) - tokensNanobits;
        return missing <= 0 ? nowNanos : nowNanos + (missing + rateBps - 1) / rateBps;
    }

    /** Takes the tokens of what has passed without asking: they are paid for before anything else passes. */
    public void owe(int bytes, long nowNanos) {
        refill(nowNanos);
        long owedMax = RateMath.nanobits(Math.min(RateMath.BYTES_MAX, Math.max(debtBytesMax, OWED_BYTES_MAX)));
        tokensNanobits = Math.max(-owedMax, tokensNanobits - RateMath.nanobits(bytes));
    }

    /**
     * Adds tokens beyond the burst, because nobody took any while the bucket overflowed. There are never more than the
     * burst and {@code bytesMax}, so that over any time at most that and the rate pass.
     */
    public void makeUp(long bytes, long bytesMax, long nowNanos) {
        refill(nowNanos);
        tokensNanobits = Math.min(
                burstNanobits + RateMath.nanobits(bytesMax),
                tokensNanobits + RateMath.nanobits(Math.min(bytes, bytesMax)));
    }

    /** Changes the rate from {@code nowNanos} on. */
    public void setRateBps(long newRateBps, long nowNanos) {
        refill(nowNanos);
        rateBps = RateMath.requireRate("rateBps", newRateBps);
        fillNanos = fillNanos();
    }

    private long fillNanos() {
        return RateMath.serializationNanosCeil(
                Math.min(RateMath.BYTES_MAX, burstBytes + Math.max(debtBytesMax, OWED_BYTES_MAX)), rateBps);
    }

    /** {@return whole bytes worth of tokens beyond the burst} */
    public long surplusBytes() {
        return Math.max(0, tokensNanobits - burstNanobits) / RateMath.NANOBITS_PER_BYTE;
    }

    /** {@return whole bytes worth of tokens at {@code nowNanos}} */
    public long availableBytes(long nowNanos) {
        refill(nowNanos);
        return Math.max(0, tokensNanobits) / RateMath.NANOBITS_PER_BYTE;
    }

    /** {@return the rate at which tokens arrive} */
    public long rateBps() {
        return rateBps;
    }

    /** {@return the most bytes that may leave at once} */
    public long burstBytes() {
        return burstBytes;
    }

    private void refill(long nowNanos) {
        long elapsedNanos = nowNanos - refilledNanos;
        refilledNanos = nowNanos;
        // Beyond the fill time the product could overflow, and the result is known.
        long missingNanobits = Math.max(0, burstNanobits - tokensNanobits);
        tokensNanobits +=
                elapsedNanos >= fillNanos ? missingNanobits : Math.min(missingNanobits, elapsedNanos * rateBps);
    }
}
