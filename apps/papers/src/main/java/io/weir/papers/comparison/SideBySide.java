package io.weir.papers.comparison;

import io.weir.papers.Axis;
import io.weir.papers.Chart;
import io.weir.papers.ChartSeries;
import io.weir.papers.Claim;
import io.weir.papers.Figure;
import io.weir.papers.Findings;
import io.weir.papers.PaperRun;
import io.weir.papers.RunResults;
import io.weir.papers.Scale;
import io.weir.papers.Setting;
import io.weir.papers.Table;
import io.weir.papers.Unit;
import io.weir.transport.scenario.result.ScenarioResult;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * One experiment, run by every protocol: a table with a line for each, and bars of some of its columns.
 *
 * @param <R> what remains of a run
 */
final class SideBySide<R> implements Figure {
    /** What a scale says that makes nothing smaller. */
    static final String NOTHING_SMALLER = "nothing is smaller";

    private static final String NO_VALUE = "-";

    private final Experiment<R> experiment;

    SideBySide(Experiment<R> experiment) {
        this.experiment = experiment;
    }

    /**
     * A column of the table.
     *
     * @param heading what it shows
     * @param unit how it is printed
     * @param value what it has of a run; NaN for nothing
     * @param isDrawn whether it is a chart too
     */
    record Column<R>(String heading, Unit unit, ToDoubleFunction<R> value, boolean isDrawn) {
        static <R> Column<R> of(String heading, Unit unit, ToDoubleFunction<R> value) {
            return new Column<>(heading, unit, value, false);
        }

        Column<R> drawn() {
            return new Column<>(heading, unit, value, true);
        }
    }

    /**
     * What every protocol runs.
     *
     * @param name that of the figure, and of the file in the catalogue
     * @param contenders who takes part
     * @param title what it is, in a line
     * @param text the network and the traffic
     * @param smaller what the quick scale makes smaller: settings, as {@code --set} takes them
     * @param scaling the same in words, and why the comparison survives it
     * @param extract reduces a result
     * @param columns what is printed of it
     * @param dataDrops frames that were dropped
     */
    record Experiment<R>(
            String name,
            List<Contender> contenders,
            String title,
            String text,
            List<String> smaller,
            String scaling,
            Function<ScenarioResult, R> extract,
            List<Column<R>> columns,
            ToDoubleFunction<R> dataDrops) {}

    @Override
    public String id() {
        return "comparison/" + experiment.name();
    }

    @Override
    public String title() {
        return experiment.title();
    }

    @Override
    public Setting setting(Scale scale) {
        return new Setting(
                experiment.text()
                        + " Presets as documented; K = 65 frames for DCTCP, RED from 5 to 200 KB with up to 10 % for DCQCN, phantom"
                        + " queues of 95 % of the link from 15 KB on for HULL; time-outs of 2 ms or more for all. No paper has this:"
                        + " of all of it only ExpressPass's drops are judged.",
                scale == Scale.FULL ? NOTHING_SMALLER : experiment.scaling());
    }

    @Override
    public List<PaperRun<?>> runs(Scale scale) {
        List<PaperRun<?>> runs = new ArrayList<>();
        experiment.contenders().forEach(contender -> runs.add(run(contender, scale)));
        return runs;
    }

    private PaperRun<R> run(Contender contender, Scale scale) {
        List<String> smaller = scale == Scale.FULL ? List.of() : experiment.smaller();
        return contender.run(experiment.name() + ".yaml", smaller, experiment.extract());
    }

    @Override
    public Findings evaluate(RunResults results, Scale scale) {
        double drops = experiment.dataDrops().applyAsDouble(results.get(run(Contender.EXPRESSPASS, scale)));
        return new Findings(
                List.of(Claim.about(id() + "/drops", "ExpressPass drops no data", "0")
                        .atMost(drops, 0, Unit.NUMBER)),
                experiment.columns().stream()
                        .filter(Column::isDrawn)
                        .map(column -> chart(column, results, scale))
                        .toList(),
                List.of(table(results, scale)));
    }

    private Table table(RunResults results, Scale scale) {
        List<String> headings = new ArrayList<>(List.of("protocol"));
        experiment.columns().forEach(column -> headings.add(column.heading()));
        List<List<String>> rows = new ArrayList<>();
        for (Contender contender : experiment.contenders()) {
            R result = results.get(run(contender, scale));
            List<String> row = new ArrayList<>(List.of(contender.word()));
            experiment.columns().forEach(column -> row.add(print(column, result)));
            rows.add(row);
        }
        return new Table(experiment.title(), headings, rows);
    }

    private String print(Column<R> column, R result) {
        double value = column.value().applyAsDouble(result);
        return Double.isNaN(value) ? NO_VALUE : column.unit().print(value);
    }

    private Chart chart(Column<R> column, RunResults results, Scale scale) {
        List<Double> heights = experiment.contenders().stream()
                .map(contender -> height(column, results.get(run(contender, scale))))
                .toList();
        return new Chart(
                column.heading(),
                Chart.Kind.BARS,
                Axis.of(
                        "protocol",
                        experiment.contenders().stream().map(Contender::word).toList()),
                Axis.linear(column.heading() + axisUnit(column.unit())),
                List.of(ChartSeries.bars(column.heading(), heights)));
    }

    private double height(Column<R> column, R result) {
        double value = column.value().applyAsDouble(result);
        if (!Double.isFinite(value)) {
            return 0;
        }
        return switch (column.unit()) {
            case BYTES -> value / 1e3;
            case NANOS -> value / 1e6;
            case BPS -> value / 1e9;
            default -> value;
        };
    }

    private static String axisUnit(Unit unit) {
        return switch (unit) {
            case BYTES -> " (KB)";
            case NANOS -> " (ms)";
            case BPS -> " (Gbps)";
            default -> "";
        };
    }
}
