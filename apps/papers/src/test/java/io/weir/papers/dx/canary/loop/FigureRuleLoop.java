package io.weir.papers.dx.canary.loop;

import io.weir.papers.dx.canary.FigureRuleBreaker;
import org.knowm.xchart.XYChart;

/** Closes a cycle of packages with {@link FigureRuleBreaker}. */
public final class FigureRuleLoop {
    private FigureRuleLoop() {}

    /** Never called. */
    public static void back(XYChart chart) {
        FigureRuleBreaker.breakAll(chart);
    }
}
