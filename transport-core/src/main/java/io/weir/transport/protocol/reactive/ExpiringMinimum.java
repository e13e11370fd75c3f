package io.weir.transport.protocol.reactive;

/**
 * The least of what was observed within a span that moves along: what was least and was not seen again is forgotten after one half to a
 * whole span. O(1); no allocation.
 *
 * <p>The span may be of time or of anything that counts upwards. A silence longer than half a span makes nothing older: what was not
 * looked at was not contradicted either. The first half begins with the first observation.
 */
public final class ExpiringMinimum {
    /** What {@link #value} answers before anything was observed. */
    public static final long NONE = Long.MAX_VALUE;

    private final long halfSpan;
    private long halfStart;
    private long latest;
    private long previous = NONE;
    private long current = NONE;

    /** Creates one that has observed nothing. */
    public ExpiringMinimum(long span) {
        halfSpan = Math.max(1, span / 2);
    }

    /** Observes a value at a time, or at a count that stands for it. */
    public void observe(long value, long now) {
        if (value() == NONE) {
            halfStart = now;
        } else if (now - latest > halfSpan) {
            halfStart += now - latest;
        }
        latest = now;
        if (now - halfStart < halfSpan) {
            current = Math.min(current, value);
            return;
        }
        previous = current;
        current = value;
        halfStart = now;
    }

    /** Forgets all. */
    public void forget() {
        previous = NONE;
        current = NONE;
    }

    /** {@return the least, or {@link #NONE}} */
    public long value() {
        return Math.min(previous, current);
    }
}
