package io.weir.transport.wire;

/**
 * A length of pauses in one byte: 0 for none, else a floating number of microseconds with 3 bits behind its leading
 * one. Rounded up, by an eighth at most; what is longer than {@link #NANOS_MAX} is announced as that.
 */
public final class PauseCode {
    private static final int MANTISSA_BITS = 3;
    private static final int CODE_MAX = 255;
    private static final long NANOS_PER_UNIT = 1_000;
    /** The longest pause that a receiver believes: what is longer is a dead peer, which other timers find. */
    public static final long NANOS_MAX = 1_000_000_000L;

    private PauseCode() {}

    /** {@return the code of {@code nanos}} */
    public static int of(long nanos) {
        if (nanos <= 0) {
            return 0;
        }
        long units = (Math.min(nanos, NANOS_MAX) + NANOS_PER_UNIT - 1) / NANOS_PER_UNIT;
        int shift = Math.max(0, Long.SIZE - 1 - MANTISSA_BITS - Long.numberOfLeadingZeros(units));
        long mantissa = (units + (1L << shift) - 1) >>> shift;
        return (int) Math.min(CODE_MAX, ((long) shift << MANTISSA_BITS) + mantissa);
    }

    /** {@return what {@code code} stands for, at most {@link #NANOS_MAX}} */
    public static long nanos(int code) {
        int shift = Math.max(0, (code >>> MANTISSA_BITS) - 1);
        long mantissa = code - ((long) shift << MANTISSA_BITS);
        // Codes from the network may stand for years.
        return shift > Integer.SIZE ? NANOS_MAX : Math.min(NANOS_MAX, (mantissa << shift) * NANOS_PER_UNIT);
    }
}
