package io.weir.pacer;

/**
 * How far the pacers of one host may make up for time in which nobody polled them: a constant for coarse polling, and
 * more after a pause, for as long as the extra allowance itself.
 *
 * <p>Owned by the host's thread and shared by its pacers. No allocation; two comparisons a call. What pacers make up is
 * shaping: the host's meter and link bound the bytes.
 */
public final class CatchUp {
    /** Allowance at all times, in nanoseconds. */
    private final long baseNanos;
    /** Extra allowance after the latest pause, in nanoseconds; written by {@link #onPause}, 0 before the first. */
    private long extraNanos;
    /** When the extra allowance ends; written by {@link #onPause}. */
    private long extraUntilNanos;

    /** Creates an allowance that only pauses extend. */
    public CatchUp(long baseNanos) {
        this.baseNanos = baseNanos;
    }

    /** A pause has ended, of which {@code nanos} may be made up. */
    public void onPause(long nanos, long nowNanos) {
        extraNanos = nanos;
        extraUntilNanos = nowNanos + nanos;
    }

    /** {@return how far a pacer that is polled now may start in the past} */
    public long nanos(long nowNanos) {
        return extraNanos > 0 && nowNanos <= extraUntilNanos ? baseNanos + extraNanos : baseNanos;
    }
}
