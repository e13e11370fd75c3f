package io.weir.cli.unit;

import io.weir.transport.node.ConfigException;
import java.math.BigDecimal;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;

/** Shares of a whole: {@code 1%}, {@code 0.01}; held as parts per million where a configuration wants them so. */
public final class Fractions {
    private static final BigDecimal HUNDRED = BigDecimal.valueOf(100);
    private static final BigDecimal MILLION = BigDecimal.valueOf(1_000_000);

    private Fractions() {}

    /** {@return the parts per million that {@code text} says, 0 to 1,000,000} */
    public static int parsePpm(String text) {
        try {
            BigDecimal ppm = decimal(text.strip()).multiply(MILLION);
            if (ppm.signum() >= 0 && ppm.compareTo(MILLION) <= 0) {
                return ppm.intValueExact();
            }
        } catch (ArithmeticException | NumberFormatException e) {
            throw refused(text, e);
        }
        throw refused(text, null);
    }

    /** {@return the share that {@code text} says, 0 to 1: {@code 1/16}, {@code 0.0625} or {@code 6.25%}} */
    public static double parse(String text) {
        return parse(text, 1);
    }

    /** {@return the share, or the gain of up to {@code max}, that {@code text} says} */
    public static double parse(String text, double max) {
        String number = text.strip();
        try {
            int slash = number.indexOf('/');
            double share = slash > 0
                    ? Double.parseDouble(number.substring(0, slash)) / Double.parseDouble(number.substring(slash + 1))
                    : decimal(number).doubleValue();
            if (share >= 0 && share <= max) {
                return share;
            }
        } catch (NumberFormatException e) {
            throw ratioRefused(text, max, e);
        }
        throw ratioRefused(text, max, null);
    }

    private static BigDecimal decimal(String number) {
        return number.endsWith("%")
                ? new BigDecimal(number.substring(0, number.length() - 1).strip()).divide(HUNDRED)
                : new BigDecimal(number);
    }

    private static ConfigException ratioRefused(String text, double max, Exception cause) {
        BigDecimal limit = BigDecimal.valueOf(max).stripTrailingZeros();
        return new ConfigException(
                "\"" + text + "\" is not a share; write 0 to "
                        + limit.toPlainString() + ", 0% to "
                        + limit.multiply(HUNDRED).stripTrailingZeros().toPlainString()
                        + "% or a ratio, as in 0.0625, 6.25% or 1/16",
                cause);
    }

    private static ConfigException refused(String text, Exception cause) {
        return new ConfigException(
                "\"" + text
                        + "\" is not a share; write 0 to 1 or 0% to 100%, in steps of a millionth, as in 1% or 0.01",
                cause);
    }

    /** {@return the fraction as a percentage, as in {@code 93.6 %}} */
    public static String print(double fraction) {
        return String.format(Locale.ROOT, "%.1f %%", 100 * fraction);
    }

    /** For options. */
    public static final class PpmConverter implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String text) {
            return parsePpm(text);
        }
    }
}
