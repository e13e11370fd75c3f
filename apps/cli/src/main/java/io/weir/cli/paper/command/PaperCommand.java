package io.weir.cli.paper.command;

import io.weir.cli.environment.Fingerprint;
import io.weir.cli.output.Criterion;
import io.weir.cli.output.OutputOptions;
import io.weir.cli.output.Progress;
import io.weir.cli.output.ResultDocument;
import io.weir.cli.paper.Figure;
import io.weir.cli.paper.Scale;
import io.weir.cli.paper.run.FigureReport;
import io.weir.cli.paper.run.PaperRunner;
import io.weir.cli.paper.run.RunProgress;
import io.weir.cli.signal.StopRequest;
import io.weir.cli.unit.Durations;
import io.weir.transport.node.ConfigException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Reproduces figures and tables of papers, and says of each claim whether it holds here or by how much not. */
@Command(
        name = "paper",
        description = {
            "Reproduce figures and tables of papers.",
            "Runs their experiments in virtual time, holds what is found against what the papers say, and draws the figures."
                    + " docs/PAPER.md says how verdicts are formed."
        })
public final class PaperCommand implements Callable<Integer> {
    private static final String NAME = "paper";
    private static final long ASK_NANOS = 200_000_000;

    @Mixin
    private OutputOptions output;

    @Parameters(
            arity = "0..*",
            paramLabel = "ID",
            description = "A paper (expresspass) or a figure (expresspass/fig10); all of them by default.")
    private List<String> ids = new ArrayList<>();

    @Option(names = "--full", description = "The papers' sizes, in place of --quick: as small as the claims allow.")
    private boolean isFull;

    @Option(names = "--quick", description = "As small as the claims allow, which is the default.")
    private boolean isQuick;

    @Option(
            names = "--jobs",
            paramLabel = "N",
            description = "How many simulations run at a time (default: one for each processor).")
    private Integer jobs;

    @Option(names = "--list", description = "Print what can be reproduced; run nothing.")
    private boolean isList;

    /** For picocli. */
    public PaperCommand() {}

    @Override
    public Integer call() {
        List<Figure> figures = Papers.select(ids);
        if (isList) {
            PrintWriter out = output.text();
            figures.forEach(figure -> out.println(figure.id() + "  " + figure.title()));
            return 0;
        }
        Scale scale = scale();
        PaperRunner runner = new PaperRunner(figures, scale);
        try (StopRequest stop = StopRequest.listen();
                Progress progress = output.progress()) {
            List<FigureReport> reports =
                    runner.run(jobs(), () -> stop.await(ASK_NANOS), now -> progress.show(line(now)));
            progress.clear();
            List<Criterion> criteria = new ArrayList<>();
            reports.forEach(
                    report -> criteria.add(Criterion.holds(report.figure().id(), report.isGood())));
            ResultDocument document = ResultDocument.of(NAME, Fingerprint.take(), List.of(), criteria);
            return stop.end(output.finish(document, out -> new PaperText(out).print(reports)));
        }
    }

    private Scale scale() {
        if (isFull && isQuick) {
            throw new ConfigException("--full: means the opposite of --quick; give one of them");
        }
        return isFull ? Scale.FULL : Scale.QUICK;
    }

    private int jobs() {
        return jobs == null ? Runtime.getRuntime().availableProcessors() : jobs;
    }

    private static String line(RunProgress progress) {
        return progress.done() + " of " + progress.all() + " runs; "
                + progress.current().stream()
                        .map(run -> run.figure() + " (" + run.run() + ") at " + Durations.print(run.virtualNanos()))
                        .collect(Collectors.joining(", "));
    }
}
