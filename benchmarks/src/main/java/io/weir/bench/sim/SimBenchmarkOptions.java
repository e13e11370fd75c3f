package io.weir.bench.sim;

import java.util.ArrayList;
import java.util.List;

/**
 * What to measure.
 *
 * @param scenario the scenario's file
 * @param assignments what to put in place of its values
 * @param runs how often it is measured, after as many runs to warm up
 * @param hopsPerSecondMin what the median must reach, or 0 for no demand
 * @param baseline a file of earlier figures to compare with, or to be written, or null
 * @param isWriting whether the baseline is written
 */
record SimBenchmarkOptions(
        String scenario,
        List<String> assignments,
        int runs,
        double hopsPerSecondMin,
        String baseline,
        boolean isWriting) {
    static final String USAGE = """
            usage: java -jar weir-benchmarks.jar sim SCENARIO [--set KEY=VALUE]... [--runs 5] \
            [--require HOPS_PER_SECOND]
                       [--baseline FILE | --write FILE]""";

    SimBenchmarkOptions {
        assignments = List.copyOf(assignments);
        if (scenario == null) {
            throw new IllegalArgumentException("no scenario is named");
        }
        if (runs < 1) {
            throw new IllegalArgumentException("--runs " + runs + " must be at least 1");
        }
    }

    /** {@return the options that the command line asks for} */
    static SimBenchmarkOptions parse(String[] arguments) {
        String scenario = null;
        List<String> assignments = new ArrayList<>();
        int runs = 5;
        double hopsPerSecondMin = 0;
        String baseline = null;
        boolean isWriting = false;
        for (int i = 0; i < arguments.length; i++) {
            String option = arguments[i];
            if (!option.startsWith("--")) {
                scenario = option;
                continue;
            }
            if (i + 1 == arguments.length) {
                throw new IllegalArgumentException(option + " is unknown or lacks its value");
            }
            String value = arguments[++i];
            switch (option) {
                case "--set" -> assignments.add(value);
                case "--runs" -> runs = Integer.parseInt(value);
                case "--require" -> hopsPerSecondMin = Double.parseDouble(value);
                case "--baseline" -> baseline = value;
                case "--write" -> {
                    baseline = value;
                    isWriting = true;
                }
                default -> throw new IllegalArgumentException("unknown option " + option);
            }
        }
        return new SimBenchmarkOptions(scenario, assignments, runs, hopsPerSecondMin, baseline, isWriting);
    }
}
