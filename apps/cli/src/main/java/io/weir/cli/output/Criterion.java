package io.weir.cli.output;

/**
 * Something that a command promises of its result, and whether it holds.
 *
 * @param name what is promised
 * @param measured what was found: a number, a text or a truth
 * @param relation how what was found must stand to the limit: {@code >=}, {@code <=} or {@code ==}
 * @param limit what it is held against
 * @param unit the unit of both, or empty
 * @param met whether the promise holds
 */
public record Criterion(String name, Object measured, String relation, Object limit, String unit, boolean met) {
    /** {@return the promise that {@code measured} is at least {@code limit}} */
    public static Criterion atLeast(String name, double measured, double limit, String unit) {
        return new Criterion(name, measured, ">=", limit, unit, measured >= limit);
    }

    /** {@return the promise that {@code measured} is at most {@code limit}} */
    public static Criterion atMost(String name, double measured, double limit, String unit) {
        return new Criterion(name, measured, "<=", limit, unit, measured <= limit);
    }

    /** {@return the promise that a count is at least {@code limit}} */
    public static Criterion atLeast(String name, long measured, long limit, String unit) {
        return new Criterion(name, measured, ">=", limit, unit, measured >= limit);
    }

    /** {@return the promise that a count is at most {@code limit}} */
    public static Criterion atMost(String name, long measured, long limit, String unit) {
        return new Criterion(name, measured, "<=", limit, unit, measured <= limit);
    }

    /** {@return the promise that {@code measured} is {@code limit}} */
    public static Criterion equal(String name, Object measured, Object limit, String unit) {
        return new Criterion(name, measured, "==", limit, unit, measured.equals(limit));
    }

    /** {@return the promise that something holds} */
    public static Criterion holds(String name, boolean holds) {
        return equal(name, holds, true, "");
    }

    /** {@return the promise in a line for people} */
    public String text() {
        String suffix = unit.isEmpty() ? "" : " " + unit;
        return (met ? "met     " : "NOT MET ") + name + ": " + text(measured) + suffix + " (must be " + relation + " "
                + text(limit) + suffix + ")";
    }

    private static String text(Object value) {
        return value instanceof Double number && number == Math.rint(number)
                ? Long.toString(number.longValue())
                : value.toString();
    }
}
