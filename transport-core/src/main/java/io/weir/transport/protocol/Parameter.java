package io.weir.transport.protocol;

import io.weir.pacer.RateMath;
import io.weir.transport.node.ConfigException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * One value by which a protocol can be set: what files call it, in which unit it is kept, and within which limits.
 * Files, the command line and the generated tables of the documents are made of these.
 *
 * @param <T> what Java keeps it as: {@link Long} for times, sizes, rates and counts, {@link Double} for shares,
 *     {@link Boolean} for flags, an enum for choices
 * @param key what files call it
 * @param unit what it counts
 * @param usual its value when nothing is said
 * @param min its least value; 0 where it is no number
 * @param max its largest value; 0 where it is no number
 * @param choices what it may be; empty unless it is a choice
 * @param condition when it means something; null if always
 * @param meaning what it does, with the section of its source
 */
public record Parameter<T>(
        String key, Unit unit, T usual, double min, double max, List<T> choices, Condition condition, String meaning) {
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
        /** True or false. */
        FLAG,
        /** One of several names. */
        CHOICE
    }

    /**
     * With which values of a choice a parameter means something.
     *
     * @param choice the choice, of the same protocol
     * @param values those values
     */
    public record Condition(Parameter<?> choice, List<Object> values) {}

    /** Validates the limits. */
    public Parameter {
        choices = List.copyOf(choices);
        if (usual instanceof Number number && !(min <= number.doubleValue() && number.doubleValue() <= max)) {
            throw new ConfigException(key + ": " + min + " <= " + usual + " <= " + max + " does not hold");
        }
    }

    private static <T> Parameter<T> number(String key, Unit unit, T usual, double min, double max, String meaning) {
        return new Parameter<>(key, unit, usual, min, max, List.of(), null, meaning);
    }

    /** {@return a time} */
    public static Parameter<Long> nanos(String key, long usual, String meaning) {
        return number(key, Unit.NANOS, usual, 1, NANOS_MAX, meaning);
    }

    /** {@return a time between other limits} */
    public static Parameter<Long> nanos(String key, long usual, long min, long max, String meaning) {
        return number(key, Unit.NANOS, usual, (double) min, (double) max, meaning);
    }

    /** {@return a number of bytes} */
    public static Parameter<Long> bytes(String key, long usual, String meaning) {
        return number(key, Unit.BYTES, usual, 1, BYTES_MAX, meaning);
    }

    /** {@return a rate} */
    public static Parameter<Long> bps(String key, long usual, String meaning) {
        return number(key, Unit.BPS, usual, 1, RateMath.RATE_BPS_MAX, meaning);
    }

    /** {@return a share or gain between 0 and {@code max}} */
    public static Parameter<Double> fraction(String key, double usual, double max, String meaning) {
        return number(key, Unit.FRACTION, usual, 0, max, meaning);
    }

    /** {@return a whole number} */
    public static Parameter<Long> count(String key, long usual, long min, long max, String meaning) {
        return number(key, Unit.COUNT, usual, (double) min, (double) max, meaning);
    }

    /** {@return true or false} */
    public static Parameter<Boolean> flag(String key, boolean usual, String meaning) {
        return number(key, Unit.FLAG, usual, 0, 0, meaning);
    }

    /** {@return one of the values of an enum} */
    public static <E extends Enum<E>> Parameter<E> choice(String key, E usual, String meaning) {
        List<E> choices = Arrays.asList(usual.getDeclaringClass().getEnumConstants());
        return new Parameter<>(key, Unit.CHOICE, usual, 0, 0, choices, null, meaning);
    }

    /** {@return the same between other limits} */
    public Parameter<T> within(double least, double largest) {
        return new Parameter<>(key, unit, usual, least, largest, choices, condition, meaning);
    }

    /** {@return the same, which means something only while {@code choice} is one of {@code values}} */
    @SafeVarargs
    @SuppressWarnings("varargs")
    public final <E extends Enum<E>> Parameter<T> onlyWith(Parameter<E> choice, E... values) {
        Condition when = new Condition(choice, List.of((Object[]) values));
        return new Parameter<>(key, unit, usual, min, max, choices, when, meaning);
    }

    /** {@return what files call a value of a choice: its name in small letters, with hyphens} */
    public static String word(Object choice) {
        return choice.toString().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    Object checked(Object value) {
        boolean isWithin = value instanceof Number number
                ? number.doubleValue() >= min && number.doubleValue() <= max
                : choices.isEmpty() || choices.contains(value);
        if (!isWithin || value.getClass() != usual.getClass()) {
            throw new ConfigException(key + "=" + value + " is outside " + min + ".." + max);
        }
        return value;
    }
}
