package io.weir.transport.protocol;

import io.weir.pacer.RateMath;
import io.weir.transport.node.ConfigException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * One value by which a protocol, or its part at switches, can be set: what files call it, in which unit it is kept, and
 * within which limits. Files, the command line and the generated tables of the documents are made of these.
 *
 * @param <T> what Java keeps it as: {@link Long} for times, sizes, rates, counts and exact shares, {@link Double} for
 *     shares that enter computations with doubles, {@link Boolean} for flags, an enum for choices
 * @param key what files call it
 * @param unit what it counts
 * @param usual its default
 * @param min its least value; 0 where it is no number
 * @param max its largest value; 0 where it is no number
 * @param choices what it may be; empty unless it is a choice
 * @param condition when it means something; null if always
 * @param floor the parameter below whose value it never is: it rises with it; null if there is none
 * @param presence what it means when files leave it out
 * @param meaning what it does, with the section of its source
 */
public record Parameter<T>(
        String key,
        Unit unit,
        T usual,
        double min,
        double max,
        List<T> choices,
        Condition condition,
        Parameter<Long> floor,
        Presence presence,
        String meaning) {

    /** What a parameter counts, and how files write it. */
    public enum Unit {
        /** A time, as in {@code 100us}. */
        NANOS(1, 1e15),
        /** A number of bytes, as in {@code 64KB}. */
        BYTES(1, 1L << 40),
        /** A rate in bits per second, as in {@code 40Mbps}. */
        BPS(1, RateMath.RATE_BPS_MAX),
        /** A share or gain, as in {@code 1/16} or {@code 6%}. */
        FRACTION(0, 1),
        /** An exact share in parts per million, as in {@code 97%} or {@code 0.97}: for integer arithmetic. */
        PPM(0, 1_000_000),
        /** A whole number. */
        COUNT(0, 0),
        /** True or false. */
        FLAG(0, 0),
        /** One of several names. */
        CHOICE(0, 0);

        private final double leastUsual;
        private final double largestUsual;

        Unit(double leastUsual, double largestUsual) {
            this.leastUsual = leastUsual;
            this.largestUsual = largestUsual;
        }
    }

    /** What a parameter means when files leave it out. */
    public enum Presence {
        /** Its usual value. */
        USUAL,
        /** Nothing: files must state it, because no value suits every link. */
        REQUIRED,
        /** That there is none, which is kept as 0. */
        OPTIONAL
    }

    /**
     * With which values of a choice a parameter means something.
     *
     * @param choice the choice, of the same protocol
     * @param values those values
     */
    public record Condition(Parameter<?> choice, List<Object> values) {}

    public Parameter {
        choices = List.copyOf(choices);
        if (presence != Presence.OPTIONAL
                && usual instanceof Number number
                && !(min <= number.doubleValue() && number.doubleValue() <= max)) {
            throw new ConfigException(key + ": " + min + " <= " + usual + " <= " + max + " does not hold");
        }
    }

    private static Parameter<Long> whole(String key, Unit unit, long usual, String meaning) {
        return number(key, unit, usual, unit.leastUsual, unit.largestUsual, meaning);
    }

    private static <T> Parameter<T> number(String key, Unit unit, T usual, double min, double max, String meaning) {
        return new Parameter<>(key, unit, usual, min, max, List.of(), null, null, Presence.USUAL, meaning);
    }

    /** {@return a time} */
    public static Parameter<Long> nanos(String key, long usual, String meaning) {
        return whole(key, Unit.NANOS, usual, meaning);
    }

    /** {@return a time between other limits} */
    public static Parameter<Long> nanos(String key, long usual, long min, long max, String meaning) {
        return number(key, Unit.NANOS, usual, (double) min, (double) max, meaning);
    }

    /** {@return a number of bytes} */
    public static Parameter<Long> bytes(String key, long usual, String meaning) {
        return whole(key, Unit.BYTES, usual, meaning);
    }

    /** {@return a rate} */
    public static Parameter<Long> bps(String key, long usual, String meaning) {
        return whole(key, Unit.BPS, usual, meaning);
    }

    /** {@return a share or gain between 0 and {@code max}} */
    public static Parameter<Double> fraction(String key, double usual, double max, String meaning) {
        return number(key, Unit.FRACTION, usual, 0, max, meaning);
    }

    /** {@return an exact share, in parts per million} */
    public static Parameter<Long> ppm(String key, long usual, String meaning) {
        return whole(key, Unit.PPM, usual, meaning);
    }

    /** {@return a rate that files may leave out, which is then kept as 0: there is none} */
    public static Parameter<Long> optionalBps(String key, long least, String meaning) {
        return new Parameter<>(
                key,
                Unit.BPS,
                0L,
                (double) least,
                RateMath.RATE_BPS_MAX,
                List.of(),
                null,
                null,
                Presence.OPTIONAL,
                meaning);
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
        return new Parameter<>(key, Unit.CHOICE, usual, 0, 0, choices, null, null, Presence.USUAL, meaning);
    }

    /** {@return the same between other limits} */
    public Parameter<T> within(double least, double largest) {
        return new Parameter<>(key, unit, usual, least, largest, choices, condition, floor, presence, meaning);
    }

    /** {@return the same, which files must state} */
    public Parameter<T> required() {
        return new Parameter<>(key, unit, usual, min, max, choices, condition, floor, Presence.REQUIRED, meaning);
    }

    /** {@return the same, which is never below another parameter of the same list and rises with it} */
    public Parameter<T> notBelow(Parameter<Long> other) {
        return new Parameter<>(key, unit, usual, min, max, choices, condition, other, presence, meaning);
    }

    /** {@return the same, which means something only while {@code choice} is one of {@code values}} */
    @SafeVarargs
    @SuppressWarnings("varargs")
    public final <E extends Enum<E>> Parameter<T> onlyWith(Parameter<E> choice, E... values) {
        Condition when = new Condition(choice, List.of((Object[]) values));
        return new Parameter<>(key, unit, usual, min, max, choices, when, floor, presence, meaning);
    }

    /** {@return whether it is a quantity with narrower limits than its unit has} */
    public boolean isNarrowed() {
        return switch (unit) {
            case NANOS, BYTES, BPS, FRACTION, PPM -> min != unit.leastUsual || max != unit.largestUsual;
            case COUNT, FLAG, CHOICE -> false;
        };
    }

    /** {@return what files call a value of a choice: its name in small letters, with hyphens} */
    public static String nameOf(Object choice) {
        return choice.toString().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    Object checked(Object value) {
        boolean isWithin = value instanceof Number number
                ? (number.doubleValue() >= min && number.doubleValue() <= max) || isNone(value)
                : choices.isEmpty() || choices.contains(value);
        if (!isWithin || value.getClass() != usual.getClass()) {
            throw new ConfigException(key + "=" + value + " is outside " + min + ".." + max);
        }
        return value;
    }

    private boolean isNone(Object value) {
        return presence == Presence.OPTIONAL && value.equals(usual);
    }
}
