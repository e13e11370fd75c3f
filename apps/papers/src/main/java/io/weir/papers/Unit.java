package io.weir.papers;

import io.weir.cli.unit.Durations;
import io.weir.cli.unit.Fractions;
import io.weir.cli.unit.Rates;
import io.weir.cli.unit.Sizes;
import java.util.Locale;

/** What a claim's numbers are, and how they are printed. */
public enum Unit {
    /** Shares of a whole, 0 to 1; their distances are percentage points. */
    SHARE,
    /** Sizes in bytes. */
    BYTES,
    /** Durations in nanoseconds. */
    NANOS,
    /** Bits per second. */
    BPS,
    /** Ratios of two figures. */
    TIMES,
    /** Round trips. */
    ROUND_TRIPS,
    /** Everything that is counted, and Jain's index. */
    NUMBER;

    private static final double INTEGERS_MAX = 1e9;

    /** {@return a value, as in {@code 93.6 %}} */
    public String print(double value) {
        if (!Double.isFinite(value)) {
            return "none";
        }
        return switch (this) {
            case SHARE -> Fractions.print(value);
            case BYTES -> Sizes.print(value);
            case NANOS -> Durations.print(value);
            case BPS -> Rates.print(value);
            case TIMES -> digits(value) + " times";
            case ROUND_TRIPS -> digits(value) + " RTTs";
            case NUMBER -> digits(value);
        };
    }

    /** {@return how far two values are apart, as in {@code 1.2 points}} */
    public String printDistance(double distance) {
        if (!Double.isFinite(distance)) {
            return "any distance";
        }
        double size = Math.abs(distance);
        return this == SHARE ? String.format(Locale.ROOT, "%.1f points", 100 * size) : print(size);
    }

    private static String digits(double value) {
        double size = Math.abs(value);
        if (value == Math.rint(value) && size < INTEGERS_MAX) {
            return Long.toString((long) value);
        }
        return String.format(Locale.ROOT, size >= 100 ? "%.0f" : size >= 10 ? "%.1f" : "%.3f", value);
    }
}
