package io.weir.papers.matrix;

import io.weir.papers.RunResults;
import io.weir.papers.Unit;
import io.weir.transport.scenario.result.ScenarioResult;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * What is read off a run, and what the default must reach.
 *
 * @param name what the table calls it
 * @param unit how it is printed
 * @param isMoreBetter whether the larger value is the better one
 * @param isWorst whether the worst seed counts, for what happens seldom; otherwise the median
 * @param value reads it
 * @param demands what the default's value is held against; none for one that only stands in the table
 */
record Metric(
        String name,
        Unit unit,
        boolean isMoreBetter,
        boolean isWorst,
        ToDoubleFunction<ScenarioResult> value,
        List<Demand> demands) {
    /** What a cell allows unless its point of the comparison says otherwise. */
    private static final double TOLERANCE = 0.05;

    Metric {
        demands = List.copyOf(demands);
    }

    /** A limit of a figure of a cell's. */
    @FunctionalInterface
    interface Demand {
        /** {@return the limit of figure {@code metric} of {@code cell}} */
        double limit(Cell cell, RunResults results, int metric);

        /** {@return a multiple of another rule's value in the same cell} */
        static Demand of(Contestant rule, double factor) {
            return of(rule, factor, 0);
        }

        /** {@return a multiple of another rule's value in the same cell, and so much more} */
        static Demand of(Contestant rule, double factor, double more) {
            return (cell, results, metric) -> factor * cell.value(results, rule, metric) + more;
        }

        /** {@return a multiple of the default's value in another cell of the group, which has the same metrics} */
        static Demand ofCell(Cell other, double factor) {
            return (cell, results, metric) -> factor * other.value(results, Contestant.WEIR, metric);
        }

        /** {@return a number} */
        static Demand number(double limit) {
            return (cell, results, metric) -> limit;
        }
    }

    /** {@return a figure of which more is better, at most 5 % worse than with the paper's and the authors' rule} */
    static Metric more(String name, Unit unit, ToDoubleFunction<ScenarioResult> value) {
        return new Metric(name, unit, true, false, value, noWorse(1 - TOLERANCE));
    }

    /** {@return a figure of which less is better, at most 5 % worse than with the paper's and the authors' rule} */
    static Metric less(String name, Unit unit, ToDoubleFunction<ScenarioResult> value) {
        return new Metric(name, unit, false, false, value, noWorse(1 + TOLERANCE));
    }

    /** {@return the same figure, held against this alone} */
    Metric heldTo(Demand... newDemands) {
        return new Metric(name, unit, isMoreBetter, isWorst, value, List.of(newDemands));
    }

    /** {@return the same figure of the worst seed} */
    Metric worst() {
        return new Metric(name, unit, isMoreBetter, true, value, demands);
    }

    private static List<Demand> noWorse(double factor) {
        return List.of(Demand.of(Contestant.PAPER, factor), Demand.of(Contestant.AUTHORS_CAREFUL, factor));
    }
}
