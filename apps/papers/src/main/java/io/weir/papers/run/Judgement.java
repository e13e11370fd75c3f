package io.weir.papers.run;

import io.weir.papers.Figure;
import io.weir.papers.Findings;
import io.weir.papers.PaperRun;
import io.weir.papers.RunResults;
import io.weir.papers.Scale;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Has a figure judge its runs, if all of them are there. */
final class Judgement {
    private final Figure figure;
    private final Scale scale;
    private final Function<PaperRun<?>, Batch> batches;

    Judgement(Figure figure, Scale scale, Function<PaperRun<?>, Batch> batches) {
        this.figure = figure;
        this.scale = scale;
        this.batches = batches;
    }

    /** {@return the outcome of a figure that was not measured, or not to its end} */
    static FigureReport interrupted(Figure figure) {
        return new FigureReport(figure, null, "interrupted", List.of());
    }

    FigureReport report() {
        List<RunReport> reports = new ArrayList<>();
        RunResults results = new RunResults();
        String failure = "";
        for (PaperRun<?> run : figure.runs(scale)) {
            Batch batch = batches.apply(run);
            Outcome outcome = batch.outcome();
            reports.add(report(run, outcome));
            Object extract = batch.extract(run, figure.id());
            if (extract != null) {
                results.put(run, extract);
            } else if (failure.isEmpty()) {
                failure = "run \"" + run.name() + "\": " + outcome.reason();
            }
        }
        return failure.isEmpty() ? judged(results, reports) : new FigureReport(figure, null, failure, reports);
    }

    private RunReport report(PaperRun<?> run, Outcome outcome) {
        return new RunReport(
                figure.id(),
                run.name(),
                run.file(),
                run.settings(),
                run.command(),
                outcome.complete(),
                outcome.problems(),
                outcome.dataDrops(),
                outcome.run());
    }

    private FigureReport judged(RunResults results, List<RunReport> reports) {
        try {
            Findings findings = figure.evaluate(results, scale);
            return new FigureReport(figure, findings, "", reports);
        } catch (RuntimeException e) {
            return new FigureReport(figure, null, "evaluating it failed: " + e, reports);
        }
    }
}
