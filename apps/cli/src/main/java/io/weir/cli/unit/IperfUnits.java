package io.weir.cli.unit;

import io.weir.transport.node.ConfigException;
import java.util.List;
import java.util.Locale;

/** Sizes and rates as iperf3 prints them: bytes by powers of 1024, bits by powers of 1000, three digits or four. */
public final class IperfUnits {
    private static final List<String> PREFIXES = List.of("", "K", "M", "G", "T");
    private static final String LETTERS = "kmgt";
    private static final int BYTE_STEP = 1024;
    private static final int BIT_STEP = 1000;
    private static final double BITS_PER_BYTE = 8;
    // Below these the figure would be rounded to one digit more.
    private static final double HUNDREDTHS_BELOW = 9.995;
    private static final double TENTHS_BELOW = 99.95;

    private IperfUnits() {}

    /** {@return a size, as in {@code 1.25 MBytes}} */
    public static String bytes(double bytes) {
        return adapted(bytes, BYTE_STEP, "Bytes");
    }

    /**
     * {@return a rate, as in {@code 10.5 Mbits/sec}}
     *
     * @param format one of {@code kmgt} for bits or {@code KMGT} for bytes per second in that unit, or 0 for bits in
     *     the unit that fits
     */
    public static String rate(double bitsPerSecond, char format) {
        if (format == 0) {
            return adapted(bitsPerSecond, BIT_STEP, "bits") + "/sec";
        }
        int power = 1 + LETTERS.indexOf(Character.toLowerCase(format));
        boolean isBytes = Character.isUpperCase(format);
        double value = isBytes
                ? bitsPerSecond / BITS_PER_BYTE / Math.pow(BYTE_STEP, power)
                : bitsPerSecond / Math.pow(BIT_STEP, power);
        return digits(value) + " " + PREFIXES.get(power) + (isBytes ? "Bytes" : "bits") + "/sec";
    }

    /** {@return the format that {@code -f} says} */
    public static char format(String text) {
        if (text.length() != 1 || LETTERS.indexOf(text.toLowerCase(Locale.ROOT)) < 0) {
            throw new ConfigException("-f " + text + " is no format; give one of k, m, g, t for bits, K, M, G, T for"
                    + " bytes, or iperf3 for its JSON");
        }
        return text.charAt(0);
    }

    private static String adapted(double value, int step, String unit) {
        double left = value;
        int power = 0;
        while (left >= step && power < PREFIXES.size() - 1) {
            left /= step;
            power++;
        }
        return digits(left) + " " + PREFIXES.get(power) + unit;
    }

    private static String digits(double value) {
        if (value < HUNDREDTHS_BELOW) {
            return String.format(Locale.ROOT, "%4.2f", value);
        }
        if (value < TENTHS_BELOW) {
            return String.format(Locale.ROOT, "%4.1f", value);
        }
        return String.format(Locale.ROOT, "%4.0f", value);
    }
}
