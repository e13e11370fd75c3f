package io.weir.pacer;

/**
 * Exact integer conversions between bytes, bits per second and nanoseconds.
 *
 * <p>The unit that makes them exact is the <em>nanobit</em>, 1e-9 bit: a link of {@code r} bit/s passes exactly
 * {@code r} nanobits a nanosecond, and a byte is 8e9 of them. Whatever is released by a rate is accounted in nanobits,
 * so that no division, and with it no rounding, enters before a time is asked for.
 *
 * <p>Bounds: 0 &lt; rate &lt;= {@link #RATE_BPS_MAX}, 0 &lt;= bytes &lt;= {@link #BYTES_MAX}.
 */
public final class RateMath {
    /** The highest rate that any method here takes: 1 Tbit/s. */
    public static final long RATE_BPS_MAX = 1_000_000_000_000L;

    /** The most bytes that any method here takes: beyond it their nanobits would not fit a long. */
    public static final long BYTES_MAX = 1_000_000_000L;

    /** Nanoseconds in a second. */
    public static final long NANOS_PER_SECOND = 1_000_000_000L;

    /** Nanobits in a byte. */
    public static final long NANOBITS_PER_BYTE = 8 * NANOS_PER_SECOND;

    private static final long MILLION = 1_000_000L;

    private RateMath() {}

    /** {@return the nanobits of {@code bytes}} */
    public static long nanobits(long bytes) {
        return bytes * NANOBITS_PER_BYTE;
    }

    /** {@return the time that {@code bytes} take at {@code rateBps}, rounded up to a whole nanosecond} */
    public static long serializationNanosCeil(long bytes, long rateBps) {
        return (nanobits(bytes) + rateBps - 1) / rateBps;
    }

    /** {@return the time that {@code bytes} take at {@code rateBps}, rounded down to a whole nanosecond} */
    public static long serializationNanosFloor(long bytes, long rateBps) {
        return nanobits(bytes) / rateBps;
    }

    /** {@return the whole bytes that {@code rateBps} passes in {@code nanos}, rounded down} */
    public static long bytesInNanosFloor(long nanos, long rateBps) {
        return mulDivFloor(nanos, rateBps, NANOBITS_PER_BYTE);
    }

    /** {@return {@code rateBps} scaled by {@code ppm} parts per million, rounded down} */
    public static long scalePpmFloor(long rateBps, long ppm) {
        return mulDivFloor(rateBps, ppm, MILLION);
    }

    /**
     * {@return floor(a * b / c) without overflow, exact}
     *
     * <p>For non-negative a, b and positive c whose result fits a long. The common case is one multiplication and one
     * division; the wide one divides bit by bit and belongs to set-up and reports, not to a frame's path.
     */
    public static long mulDivFloor(long a, long b, long c) {
        long high = Math.multiplyHigh(a, b);
        long low = a * b;
        if (high == 0 && low >= 0) {
            return low / c;
        }
        return divideWide(high, low, c);
    }

    private static long divideWide(long high, long low, long divisor) {
        if (high >= divisor) {
            throw new ArithmeticException("quotient exceeds 63 bits: high=" + high + ", divisor=" + divisor);
        }
        long remainder = high;
        long quotient = 0;
        for (int bit = Long.SIZE - 1; bit >= 0; bit--) {
            boolean carry = remainder < 0;
            remainder = (remainder << 1) | ((low >>> bit) & 1);
            quotient <<= 1;
            if (carry || Long.compareUnsigned(remainder, divisor) >= 0) {
                remainder -= divisor;
                quotient |= 1;
            }
        }
        return quotient;
    }

    /**
     * {@return {@code rateBps}, checked}
     *
     * @throws IllegalArgumentException if it lies outside the bounds of this class
     */
    public static long requireRate(String name, long rateBps) {
        if (rateBps <= 0 || rateBps > RATE_BPS_MAX) {
            throw new IllegalArgumentException(name + "=" + rateBps + " is outside 1.." + RATE_BPS_MAX + " bit/s");
        }
        return rateBps;
    }
}
