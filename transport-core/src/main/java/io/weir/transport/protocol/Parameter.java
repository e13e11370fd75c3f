package io.weir.transport.protocol;

import io.weir.pacer.RateMath;
import io.weir.transport.node.ConfigException;

/**
 * One number by which a protocol can be set: what files call it, in which unit it is kept, and within which limits.
 * Files, the command line and the generated tables of the documents are made of these.
 *
 * @param key what files call it
 * @param unit what it counts
 * @param usual its value when nothing is said
 * @param min its least value
 * @param max its largest value
 * @param meaning what it does, with the section of its source
 */
public record Parameter(String key, Unit unit, double usual, double min, double max, String meaning) {
    private static final double NANOS_MAX = 1e15;
    private static final double BYTES_MAX = 1L << 40;

    /** What a parameter counts, and how files write it. */
    public enum Unit {
        /** A time, as in {@code 100us}. */
        NANOS,
        /** A number of bytes, as in {@code 64KB}. */
        BYTES,
        /** A rate in bits per second, as in {@code 40Mbps}. */
        BPS,
        /** A share or gain, as in {@code 1/16} or {@code 6%}. */
        FRACTION,
        /** A whole number. */
        COUNT,
        /** True or false, kept as 1 or 0. */
        FLAG
    }

    /** Validates the limits. */
    public Parameter {
        if (!(min <= usual && usual <= max)) {
            throw new ConfigException(key + ": " + min + " <= " + usual + " <= " + max + " does not hold");
        }
    }

    /** {@return a time} */
    public static Parameter nanos(String key, long usual, String meaning) {
        return new Parameter(key, Unit.NANOS, usual, 1, NANOS_MAX, meaning);
    }

    /** {@return a number of bytes} */
    public static Parameter bytes(String key, long usual, String meaning) {
        return new Parameter(key, Unit.BYTES, usual, 1, BYTES_MAX, meaning);
    }

    /** {@return a rate} */
    public static Parameter bps(String key, long usual, String meaning) {
        return new Parameter(key, Unit.BPS, usual, 1, RateMath.RATE_BPS_MAX, meaning);
    }

    /** {@return a share or gain between 0 and {@code max}} */
    public static Parameter fraction(String key, double usual, double max, String meaning) {
        return new Parameter(key, Unit.FRACTION, usual, 0, max, meaning);
    }

    /** {@return a whole number} */
    public static Parameter count(String key, long usual, long min, long max, String meaning) {
        return new Parameter(key, Unit.COUNT, usual, min, max, meaning);
    }

    /** {@return true or false} */
    public static Parameter flag(String key, boolean usual, String meaning) {
        return new Parameter(key, Unit.FLAG, usual ? 1 : 0, 0, 1, meaning);
    }

    double checked(double value) {
        if (!(value >= min && value <= max)) {
            throw new ConfigException(key + "=" + value + " is outside " + min + ".." + max);
        }
        return value;
    }
}
