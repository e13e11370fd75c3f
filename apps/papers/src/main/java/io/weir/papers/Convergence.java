package io.weir.papers;

import java.util.List;

/**
 * How long it takes what was measured in intervals to come to a level. Answers are intervals from the event on, its own
 * included: 1 if the first after it is there; infinite if none is.
 */
public final class Convergence {
    private Convergence() {}

    /**
     * {@return when a value first reaches a level}
     *
     * @param values what was measured
     * @param from the interval in which the event was, from 0
     * @param level what to reach
     */
    public static double firstAtLeast(List<Double> values, int from, double level) {
        for (int i = from; i < values.size(); i++) {
            if (values.get(i) >= level) {
                return i - from + 1;
            }
        }
        return Double.POSITIVE_INFINITY;
    }

    /**
     * {@return when the mean of several intervals first reaches a level; the last of them counts}
     *
     * @param values what was measured
     * @param from the interval in which the event was, from 0
     * @param level what to reach
     * @param window how many intervals make a mean
     */
    public static double firstMeanAtLeast(List<Double> values, int from, double level, int window) {
        for (int i = from; i + window <= values.size(); i++) {
            if (Statistics.mean(values.subList(i, i + window)) >= level) {
                return i + window - from;
            }
        }
        return Double.POSITIVE_INFINITY;
    }

    /**
     * {@return when the mean of several intervals first is at a level; the last of them counts}
     *
     * @param values what was measured
     * @param from the interval in which the event was, from 0
     * @param level what to come to
     * @param tolerance how far from it, as a share of it
     * @param window how many intervals make a mean
     */
    public static double settled(List<Double> values, int from, double level, double tolerance, int window) {
        for (int i = from; i + window <= values.size(); i++) {
            double mean = Statistics.mean(values.subList(i, i + window));
            if (Math.abs(mean - level) <= tolerance * level) {
                return i + window - from;
            }
        }
        return Double.POSITIVE_INFINITY;
    }

    /**
     * {@return when the mean of several intervals was last away from a level; the last of them counts: 0 if it never
     * was, the number of intervals if it is so in the end}
     *
     * @param values what was measured
     * @param from the interval in which the event was, from 0
     * @param level what to stay at
     * @param tolerance how far from it, as a share of it
     * @param window how many intervals make a mean
     */
    public static double lastAway(List<Double> values, int from, double level, double tolerance, int window) {
        for (int i = values.size() - window; i >= from; i--) {
            double mean = Statistics.mean(values.subList(i, i + window));
            if (Math.abs(mean - level) > tolerance * level) {
                return i + window - from;
            }
        }
        return 0;
    }
}
