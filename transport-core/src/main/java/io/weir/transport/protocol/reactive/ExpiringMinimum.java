package io.weir.transport.protocol.reactive;

/**
 * The least of what was observed within a span that moves along: what was least and was not seen again is forgotten
 * after one half to a whole span. O(1); no allocation.
 *
 * <p>The span may be of time or of anything that counts upwards. A silence longer than half a span makes nothing older:
 * what was not looked at was not contradicted either. The first half begins with the first observation. Where
 * observations may all be wrong for a while, a half ends only once it has had enough of them.
 */
public final class ExpiringMinimum {
    /** What {@link #value} answers before anything was observed. */
    public static final long NONE = Long.MAX_VALUE;

    private final long halfSpan;
    private final int halfCount;
    /** Where the current half span began, on the caller's scale; moved past silences. */
    private long halfStart;
    /** The scale's value at the latest observation; never falls. */
    private long latest;
    // The least of the half span before and of the current one, or NONE; observe() lowers the current one, and makes it
    // the one before when its half ends.
    private long previous = NONE;
    private long current = NONE;
    /** Observations of the current half, counted up to halfCount. */
    private int currentCount;

    /** Creates one that has observed nothing. */
    public ExpiringMinimum(long span) {
        this(span, 1);
    }

    /**
     * Creates one that has observed nothing.
     *
     * @param halfCount how many observations half a span has at least; it lasts until then
     */
    public ExpiringMinimum(long span, int halfCount) {
        this.halfSpan = Math.max(1, span / 2);
        this.halfCount = halfCount;
    }

    /** Observes a value at a time, or at a count that stands for it. */
    public void observe(long value, long now) {
        if (value() == NONE) {
            halfStart = now;
        } else if (now - latest > halfSpan) {
            halfStart += now - latest;
        }
        latest = now;
        if (now - halfStart < halfSpan || currentCount < halfCount) {
            current = Math.min(current, value);
            currentCount = Math.min(currentCount + 1, halfCount);
            return;
        }
        previous = current;
        current = value;
        currentCount = 1;
        halfStart = now;
    }

    /** Forgets all. */
    public void forget() {
        previous = NONE;
        current = NONE;
        currentCount = 0;
    }

    /** {@return whether as much was observed as half a span has at least} */
    public boolean isSettled() {
        return previous != NONE || currentCount >= halfCount;
    }

    /** {@return the least, or {@link #NONE}} */
    public long value() {
        return Math.min(previous, current);
    }
}
