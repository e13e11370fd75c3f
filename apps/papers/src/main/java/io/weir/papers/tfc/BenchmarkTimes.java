package io.weir.papers.tfc;

import io.weir.papers.Table;
import io.weir.papers.Unit;
import io.weir.papers.Variant;
import io.weir.transport.scenario.result.ExchangeResult;
import io.weir.transport.scenario.result.FlowResult;
import io.weir.transport.scenario.result.Percentiles;
import io.weir.transport.scenario.result.ScenarioResult;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * How long the queries and the background flows of a benchmark took.
 *
 * @param queries the queries' times
 * @param classes those of the background flows, by {@link #CLASSES}
 * @param large those of all background flows of 10 KB and more
 * @param dataDrops frames dropped
 */
record BenchmarkTimes(Times queries, List<Times> classes, Times large, long dataDrops) {
    /** The classes of background flows. */
    static final List<String> CLASSES = List.of("below 10 KB", "10 to 100 KB", "100 KB to 1 MB", "1 MB and more");

    private static final long[] BOUNDS = {0, 10_000, 100_000, 1_000_000, Long.MAX_VALUE};
    private static final String BACKGROUND = "background";
    private static final String QUERY = "query";

    /**
     * Completion times.
     *
     * @param count how many came to their end
     * @param meanNanos their mean
     * @param p99Nanos 99 % of them took no longer
     * @param maxNanos the longest
     */
    record Times(long count, double meanNanos, double p99Nanos, double maxNanos) {
        private static Times of(ScenarioResult result, Predicate<FlowResult> which) {
            List<Long> nanos = result.flows().stream()
                    .filter(flow -> flow.completionNanos() != null && which.test(flow))
                    .map(FlowResult::completionNanos)
                    .sorted()
                    .toList();
            int count = nanos.size();
            if (count == 0) {
                return new Times(0, Double.NaN, Double.NaN, Double.NaN);
            }
            double mean = nanos.stream().mapToLong(Long::longValue).average().orElse(Double.NaN);
            return new Times(count, mean, nanos.get((int) Math.ceil(0.99 * count) - 1), nanos.get(count - 1));
        }

        private static Times of(ExchangeResult exchange) {
            Percentiles nanos = exchange.roundNanos();
            return new Times(exchange.rounds(), nanos.mean(), nanos.p99(), nanos.max());
        }

        /** {@return the mean and the longest of all, and the mean of their 99th percentiles} */
        static Times together(List<Times> parts) {
            List<Times> some = parts.stream().filter(part -> part.count() > 0).toList();
            long count = some.stream().mapToLong(Times::count).sum();
            return new Times(
                    count,
                    some.stream()
                                    .mapToDouble(part -> part.count() * part.meanNanos())
                                    .sum()
                            / count,
                    some.stream()
                                    .mapToDouble(part -> part.count() * part.p99Nanos())
                                    .sum()
                            / count,
                    some.stream().mapToDouble(Times::maxNanos).max().orElse(Double.NaN));
        }
    }

    /** {@return the times of several runs as if they were one} */
    static BenchmarkTimes together(List<BenchmarkTimes> runs) {
        List<Times> classes = new ArrayList<>();
        for (int i = 0; i < CLASSES.size(); i++) {
            int index = i;
            classes.add(Times.together(
                    runs.stream().map(run -> run.classes().get(index)).toList()));
        }
        return new BenchmarkTimes(
                Times.together(runs.stream().map(BenchmarkTimes::queries).toList()),
                classes,
                Times.together(runs.stream().map(BenchmarkTimes::large).toList()),
                runs.stream().mapToLong(BenchmarkTimes::dataDrops).sum());
    }

    static BenchmarkTimes of(ScenarioResult result) {
        List<Times> classes = new ArrayList<>();
        for (int i = 0; i < CLASSES.size(); i++) {
            classes.add(background(result, BOUNDS[i], BOUNDS[i + 1]));
        }
        Times queries = result.exchanges().isEmpty()
                ? Times.of(result, flow -> flow.id().startsWith(QUERY))
                : Times.together(result.exchanges().stream().map(Times::of).toList());
        return new BenchmarkTimes(
                queries,
                classes,
                background(result, BOUNDS[1], Long.MAX_VALUE),
                result.summary().dataDrops());
    }

    private static Times background(ScenarioResult result, long from, long to) {
        return Times.of(result, flow -> flow.id().startsWith(BACKGROUND) && flow.bytes() >= from && flow.bytes() < to);
    }

    /** {@return the times of background flows below 10 KB} */
    Times small() {
        return classes.get(0);
    }

    /** {@return all times, a column for each of {@link Testbed#ALL}} */
    static Table table(String title, Function<Variant, BenchmarkTimes> times) {
        List<String> columns = new ArrayList<>(List.of("", "number"));
        Testbed.ALL.forEach(variant -> columns.add(variant.word()));
        List<List<String>> rows = new ArrayList<>();
        rows.add(row("queries", times.andThen(BenchmarkTimes::queries)));
        for (int i = 0; i < CLASSES.size(); i++) {
            int index = i;
            rows.add(row("background, " + CLASSES.get(i), times.andThen(all -> all.classes()
                    .get(index))));
        }
        return new Table(title + ": completion times, mean / 99th percentile / longest", columns, rows);
    }

    private static List<String> row(String word, Function<Variant, Times> times) {
        Stream<String> cells = Testbed.ALL.stream()
                .map(times)
                .map(each -> Unit.NANOS.print(each.meanNanos()) + " / " + Unit.NANOS.print(each.p99Nanos()) + " / "
                        + Unit.NANOS.print(each.maxNanos()));
        return Stream.concat(
                        Stream.of(word, Long.toString(times.apply(Testbed.TFC).count())), cells)
                .toList();
    }
}
