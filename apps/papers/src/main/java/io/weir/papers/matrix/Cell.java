package io.weir.papers.matrix;

import io.weir.papers.Claim;
import io.weir.papers.PaperRun;
import io.weir.papers.RunResults;
import io.weir.papers.Statistics;
import io.weir.papers.matrix.Metric.Demand;
import io.weir.transport.scenario.result.ScenarioResult;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * One experiment, run by some rules with the same seeds.
 *
 * @param name what it is, unlike the other cells of its group
 * @param file a file of the catalogue
 * @param creditsKey the key of the file that sets the credits of its links
 * @param settings what is put in the place of the file's values
 * @param seeds with which seeds it runs; each figure is the median, or the worst
 * @param contestants the rules that run it, the default among them
 * @param metrics what is read off
 */
record Cell(
        String name,
        String file,
        String creditsKey,
        List<String> settings,
        List<Integer> seeds,
        List<Contestant> contestants,
        List<Metric> metrics) {
    private static final String FOLDER = "matrix/";

    Cell {
        settings = List.copyOf(settings);
        seeds = List.copyOf(seeds);
        contestants = List.copyOf(contestants);
        metrics = List.copyOf(metrics);
    }

    /** {@return a cell of a file whose topology has a kind, for all rules} */
    static Cell of(String name, String file, List<Integer> seeds, List<Metric> metrics, String... settings) {
        return new Cell(name, file, "topology.credits", List.of(settings), seeds, Contestant.ALL, metrics);
    }

    /** {@return the cell for the default alone; its metrics must not be held against other rules} */
    Cell alone() {
        return by(List.of(Contestant.WEIR));
    }

    /** {@return the cell for these rules} */
    Cell by(List<Contestant> rules) {
        return new Cell(name, file, creditsKey, settings, seeds, rules, metrics);
    }

    List<PaperRun<?>> runs() {
        List<PaperRun<?>> runs = new ArrayList<>();
        for (Contestant contestant : contestants) {
            seeds.forEach(seed -> runs.add(run(contestant, seed)));
        }
        return runs;
    }

    private PaperRun<List<Double>> run(Contestant contestant, int seed) {
        List<String> all = new ArrayList<>(contestant.settings(creditsKey));
        all.addAll(settings);
        all.add("seed=" + seed);
        return new PaperRun<>(name + ", " + contestant.name() + ", seed " + seed, FOLDER + file, all, this::read);
    }

    private List<Double> read(ScenarioResult result) {
        return metrics.stream()
                .map(metric -> metric.value().applyAsDouble(result))
                .toList();
    }

    /** {@return the median over the seeds, or the worst} */
    double value(RunResults results, Contestant contestant, int metric) {
        List<Double> values = seeds.stream()
                .map(seed -> results.get(run(contestant, seed)).get(metric))
                .toList();
        if (!metrics.get(metric).isWorst()) {
            return Statistics.median(values);
        }
        return metrics.get(metric).isMoreBetter() ? Collections.min(values) : Collections.max(values);
    }

    /** {@return what the table has of a rule here} */
    List<String> row(RunResults results, Contestant contestant) {
        List<String> row = new ArrayList<>(List.of(name, contestant.name()));
        for (int i = 0; i < metrics.size(); i++) {
            row.add(metrics.get(i).unit().print(value(results, contestant, i)));
        }
        return row;
    }

    /** {@return whether the default is good enough here, with what it lacks most} */
    Claim claim(String group, RunResults results) {
        List<Held> held = held(results);
        Held worst = held.stream()
                .min((first, second) -> Double.compare(first.margin(), second.margin()))
                .orElseThrow();
        boolean isMet = held.stream().allMatch(each -> each.margin() >= 0);
        String measured = held.stream()
                .map(each -> each.metric().name() + " " + each.metric().unit().print(each.measured()))
                .distinct()
                .collect(Collectors.joining(", "));
        String criterion = held.stream().map(Held::criterion).distinct().collect(Collectors.joining(", "));
        String distance = String.format(
                Locale.ROOT,
                isMet ? "%s %.1f %% to spare" : "%s failed by %.1f %%",
                worst.metric().name(),
                100 * Math.abs(worst.margin()));
        Claim claim = Claim.about(group + "/" + name.replace(' ', '-'), name, "no such experiment")
                .holds(isMet, measured, criterion, distance);
        return isMet ? claim : claim.on("docs/protocols/expresspass.md#the-matrix");
    }

    /**
     * A figure of the default's and one of its limits.
     *
     * @param metric the figure
     * @param measured the default's value
     * @param limit what it must reach, or not exceed
     */
    private record Held(Metric metric, double measured, double limit) {
        /** {@return by which share of the limit the value is on its good side; below 0 on its bad side} */
        double margin() {
            double difference = metric.isMoreBetter() ? measured - limit : limit - measured;
            if (Double.isNaN(difference)) {
                return Double.NEGATIVE_INFINITY;
            }
            return limit == 0 ? Math.signum(difference) : difference / Math.abs(limit);
        }

        String criterion() {
            return metric.name()
                    + (metric.isMoreBetter() ? " at least " : " at most ")
                    + metric.unit().print(limit);
        }
    }

    private List<Held> held(RunResults results) {
        List<Held> held = new ArrayList<>();
        for (int i = 0; i < metrics.size(); i++) {
            Metric metric = metrics.get(i);
            double measured = value(results, Contestant.WEIR, i);
            Held hardest = null;
            for (Demand demand : metric.demands()) {
                Held next = new Held(metric, measured, demand.limit(this, results, i));
                hardest = hardest == null || next.margin() < hardest.margin() ? next : hardest;
            }
            if (hardest != null) {
                held.add(hardest);
            }
        }
        return held;
    }
}
