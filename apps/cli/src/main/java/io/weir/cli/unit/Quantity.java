package io.weir.cli.unit;

import io.weir.transport.node.ConfigException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One kind of quantity: its unit suffixes, and how to read and print a number of its smallest unit. */
final class Quantity {
    private static final Pattern SHAPE = Pattern.compile("\\s*([0-9]+(?:\\.[0-9]+)?)\\s*([A-Za-z/]*)\\s*");

    private final String name;
    private final String help;
    private final Map<String, Long> suffixes = new LinkedHashMap<>();

    /**
     * Creates a quantity without suffixes.
     *
     * @param name what it is called in messages, with its article
     * @param help what messages say about its form
     */
    Quantity(String name, String help) {
        this.name = name;
        this.help = help;
    }

    /**
     * Lets numbers be followed by any of {@code names}, whatever the case, and mean {@code factor} smallest units each.
     */
    Quantity suffix(long factor, String... names) {
        for (String suffix : names) {
            suffixes.put(suffix.toLowerCase(Locale.ROOT), factor);
        }
        return this;
    }

    /** {@return what {@code text} says, in smallest units} */
    long parse(String text) {
        Matcher matcher = SHAPE.matcher(text);
        if (!matcher.matches()) {
            throw new ConfigException("\"" + text + "\" is not " + name + "; " + help);
        }
        Long factor = suffixes.get(matcher.group(2).toLowerCase(Locale.ROOT));
        if (factor == null) {
            String problem = matcher.group(2).isEmpty() ? "has no unit" : "has the unit \"" + matcher.group(2) + "\"";
            throw new ConfigException("\"" + text + "\" is not " + name + ": it " + problem + "; " + help);
        }
        BigDecimal value = new BigDecimal(matcher.group(1)).multiply(BigDecimal.valueOf(factor));
        if (value.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0) {
            throw new ConfigException("\"" + text + "\" is too large for " + name + "; " + help);
        }
        try {
            return value.longValueExact();
        } catch (ArithmeticException e) {
            throw new ConfigException("\"" + text + "\" is finer than the smallest unit of " + name + "; " + help);
        }
    }

    /** {@return {@code value} with the largest of {@code units} that fits, four digits at most; each is 1000 times
     * the one before} */
    static String print(double value, List<String> units) {
        double factor = 1;
        int unit = 0;
        while (Math.abs(value) >= 1000 * factor && unit < units.size() - 1) {
            factor *= 1000;
            unit++;
        }
        return digits(value / factor) + " " + units.get(unit);
    }

    private static String digits(double value) {
        if (value == 0) {
            return "0";
        }
        int whole = Math.max(1, (int) Math.floor(Math.log10(Math.abs(value))) + 1);
        BigDecimal rounded = BigDecimal.valueOf(value).setScale(Math.max(0, 4 - whole), RoundingMode.HALF_UP);
        return rounded.signum() == 0 ? "0" : rounded.stripTrailingZeros().toPlainString();
    }
}
