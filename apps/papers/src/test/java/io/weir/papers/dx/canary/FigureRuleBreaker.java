package io.weir.papers.dx.canary;

import io.weir.cli.WeirCommand;
import io.weir.papers.command.Papers;
import io.weir.papers.dx.canary.loop.FigureRuleLoop;
import org.knowm.xchart.XYChart;

/** Breaks every rule of {@code LayersTest}: the canary whose survival would show that a rule checks nothing. */
public final class FigureRuleBreaker {
    static long mutable;

    private FigureRuleBreaker() {}

    /** Never called. */
    public static void breakAll(XYChart chart) {
        mutable = System.nanoTime()
                + Papers.FIGURES.size()
                + WeirCommand.commandLine().hashCode()
                + chart.hashCode();
        FigureRuleLoop.back(chart);
    }
}
