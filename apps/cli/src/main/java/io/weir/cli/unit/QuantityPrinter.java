package io.weir.cli.unit;

import java.math.BigDecimal;
import java.util.List;

/**
 * Prints quantities without rounding, in the largest unit that fits, so that what is printed reads back as the same
 * number.
 */
public final class QuantityPrinter {
    private static final int STEP_DIGITS = 3;
    private static final int PPM_TO_PERCENT_DIGITS = 4;

    private QuantityPrinter() {}

    /** {@return the rate as {@link Rates#parse} reads it} */
    public static String rate(long rateBps) {
        return print(rateBps, Rates.PRINTED);
    }

    /** {@return the size as {@link Sizes#parse} reads it} */
    public static String size(long bytes) {
        return print(bytes, Sizes.PRINTED);
    }

    /** {@return the duration as {@link Durations#parse} reads it} */
    public static String duration(long nanos) {
        return print(nanos, Durations.PRINTED);
    }

    /** {@return the share as {@link Fractions#parsePpm} reads it} */
    public static String share(int ppm) {
        return plain(BigDecimal.valueOf(ppm, PPM_TO_PERCENT_DIGITS)) + "%";
    }

    private static String print(long value, List<String> units) {
        int unit = 0;
        long whole = value;
        while (whole >= 1000 && unit < units.size() - 1) {
            whole /= 1000;
            unit++;
        }
        return plain(BigDecimal.valueOf(value, STEP_DIGITS * unit)) + units.get(unit);
    }

    private static String plain(BigDecimal value) {
        return value.signum() == 0 ? "0" : value.stripTrailingZeros().toPlainString();
    }
}
