package io.weir.papers;

import java.util.List;

/**
 * An axis of a chart.
 *
 * @param title what it measures, with the unit: {@code queue (KB)}
 * @param isLogarithmic whether equal ratios are equally long; needs positive values
 * @param categories what bars stand over, or none
 */
public record Axis(String title, boolean isLogarithmic, List<String> categories) {
    public Axis {
        categories = List.copyOf(categories);
    }

    /** {@return an axis on which equal differences are equally long} */
    public static Axis linear(String title) {
        return new Axis(title, false, List.of());
    }

    /** {@return an axis on which equal ratios are equally long} */
    public static Axis logarithmic(String title) {
        return new Axis(title, true, List.of());
    }

    /** {@return an axis with a place for each category} */
    public static Axis of(String title, List<String> categories) {
        return new Axis(title, false, categories);
    }
}
