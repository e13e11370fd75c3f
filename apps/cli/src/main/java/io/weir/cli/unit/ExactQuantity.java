package io.weir.cli.unit;

import java.math.BigDecimal;

/**
 * Prints quantities without rounding, in the largest unit that fits, so that what is printed reads back as the same
 * number.
 */
public final class ExactQuantity {
    private static final String[] RATES = {"bps", "kbps", "Mbps", "Gbps", "Tbps"};
    private static final String[] SIZES = {"B", "KB", "MB", "GB"};
    private static final String[] DURATIONS = {"ns", "us", "ms", "s"};
    private static final int STEP_DIGITS = 3;
    private static final int PPM_TO_PERCENT_DIGITS = 4;

    private ExactQuantity() {}

    /** {@return the rate as {@link Rates#parse} reads it} */
    public static String rate(long rateBps) {
        return print(rateBps, RATES);
    }

    /** {@return the size as {@link Sizes#parse} reads it} */
    public static String size(long bytes) {
        return print(bytes, SIZES);
    }

    /** {@return the duration as {@link Durations#parse} reads it} */
    public static String duration(long nanos) {
        return print(nanos, DURATIONS);
    }

    /** {@return the share as {@link Fractions#parsePpm} reads it} */
    public static String share(int ppm) {
        return plain(BigDecimal.valueOf(ppm, PPM_TO_PERCENT_DIGITS)) + "%";
    }

    private static String print(long value, String[] units) {
        int unit = 0;
        long whole = value;
        while (whole >= 1000 && unit < units.length - 1) {
            whole /= 1000;
            unit++;
        }
        return plain(BigDecimal.valueOf(value, STEP_DIGITS * unit)) + units[unit];
    }

    private static String plain(BigDecimal value) {
        return value.signum() == 0 ? "0" : value.stripTrailingZeros().toPlainString();
    }
}
