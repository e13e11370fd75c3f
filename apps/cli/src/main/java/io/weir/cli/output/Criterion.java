package io.weir.cli.output;

import java.math.BigDecimal;
import java.math.MathContext;

/**
 * Something that a command promises of its result, and whether it holds.
 *
 * @param name what is promised
 * @param measured what was found: a number, a text or a truth; or null where nothing was measured
 * @param relation how what was found must stand to the limit: {@code >=}, {@code <=} or {@code ==}
 * @param limit what it is held against
 * @param unit the unit of both, or empty
 * @param met whether the promise was shown to hold
 * @param notJudged why what was found says nothing about the promise, which is then neither met nor failed; or null
 */
public record Criterion(
        String name, Object measured, String relation, Object limit, String unit, boolean met, String notJudged) {
    private static final MathContext DIGITS = new MathContext(10);

    /** A promise that can be judged. */
    public Criterion(String name, Object measured, String relation, Object limit, String unit, boolean met) {
        this(name, measured, relation, limit, unit, met, null);
    }

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

    /** {@return this promise; if there is a reason not to judge it, neither met nor failed} */
    public Criterion unless(String reason) {
        return reason == null ? this : new Criterion(name, measured, relation, limit, unit, false, reason);
    }

    /** {@return the same promise by another name} */
    public Criterion named(String newName) {
        return new Criterion(newName, measured, relation, limit, unit, met, notJudged);
    }

    /** {@return whether the promise was broken} */
    boolean hasFailed() {
        return !met && notJudged == null;
    }

    /** {@return the promise in a line for people} */
    public String text() {
        if (notJudged != null) {
            return "NOT JUDGED " + sentence() + ": " + notJudged;
        }
        return (met ? "met     " : "NOT MET ") + sentence();
    }

    private String sentence() {
        String suffix = unit.isEmpty() ? "" : " " + unit;
        return name + ": " + (measured == null ? "-" : text(measured) + suffix) + " (must be " + relation + " "
                + text(limit) + suffix + ")";
    }

    private static String text(Object value) {
        return value instanceof Double number && Double.isFinite(number)
                ? plain(BigDecimal.valueOf(number).round(DIGITS))
                : value.toString();
    }

    private static String plain(BigDecimal number) {
        return (number.signum() == 0 ? BigDecimal.ZERO : number.stripTrailingZeros()).toPlainString();
    }
}
