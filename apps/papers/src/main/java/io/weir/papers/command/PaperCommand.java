package io.weir.papers.command;

import io.weir.cli.environment.Fingerprint;
import io.weir.cli.environment.StopRequest;
import io.weir.cli.output.OutputOptions;
import io.weir.cli.output.Progress;
import io.weir.cli.output.ResultDocument;
import io.weir.nic.net.Capabilities;
import io.weir.papers.Figure;
import io.weir.papers.Scale;
import io.weir.papers.report.FigureResult;
import io.weir.papers.report.PaperFiles;
import io.weir.papers.report.PaperResult;
import io.weir.papers.run.PaperRunner;
import io.weir.transport.node.ConfigException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Reproduces figures and tables of papers, and says of each claim whether it holds here or by how much not. */
@Command(
        name = PaperCommand.NAME,
        description = {
            "Reproduce figures and tables of papers.",
            "Runs their experiments in virtual time, compares the results with the papers' claims, and draws the"
                    + " figures. docs/PAPER.md explains the verdicts."
        })
public final class PaperCommand implements Callable<Integer> {
    static final String NAME = "paper";
    private static final long ASK_NANOS = 200_000_000;
    private static final int JOBS_MAX = 1_024;

    @Mixin
    private OutputOptions output;

    @Parameters(
            arity = "0..*",
            paramLabel = "ID",
            description = "A paper (expresspass) or a figure (expresspass/fig10); all of them by default.")
    private List<String> ids = new ArrayList<>();

    @Option(names = "--quick", description = "Experiments as small as the claims allow; the default.")
    private boolean isQuick;

    @Option(names = "--full", description = "Experiments as large as in the papers.")
    private boolean isFull;

    @Option(
            names = "--live",
            description = "The figures that are measured on real ports, between network namespaces; needs root.")
    private boolean isLive;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Write report.html, paper.json, runs.csv and each chart as SVG and PNG; made if missing.")
    private Path directory;

    @Option(
            names = "--jobs",
            paramLabel = "N",
            description = "How many simulations run at a time; by default as many as there are processors.")
    private Integer jobs;

    @Option(names = "--list", description = "Print what can be reproduced; run nothing.")
    private boolean isList;

    /** For picocli. */
    public PaperCommand() {}

    @Override
    public Integer call() throws IOException {
        Scale scale = scale();
        int threads = jobs();
        List<Figure> figures = isLive ? Papers.selectLive(ids) : Papers.select(ids);
        if (isLive && !isList) {
            Capabilities.requireForXdp();
        }
        return isList ? list(figures) : run(figures, scale, threads);
    }

    private Scale scale() {
        if (isFull && isQuick) {
            throw new ConfigException("--full: means the opposite of --quick; give one of them");
        }
        return isFull ? Scale.FULL : Scale.QUICK;
    }

    private int jobs() {
        if (jobs != null && (jobs < 1 || jobs > JOBS_MAX)) {
            throw new ConfigException("--jobs: " + jobs + " is outside 1.." + JOBS_MAX);
        }
        return jobs == null ? Runtime.getRuntime().availableProcessors() : jobs;
    }

    private int list(List<Figure> figures) {
        PaperList list = PaperList.of(figures);
        return output.finish(ResultDocument.of(NAME, Fingerprint.take(), list, List.of()), list::print);
    }

    private String command(Scale scale) {
        return "./weir paper --" + (isLive ? "live" : scale.label());
    }

    private int run(List<Figure> figures, Scale scale, int threads) throws IOException {
        PaperFiles files = directory == null ? null : PaperFiles.in(directory, command(scale));
        PaperRunner runner = new PaperRunner(figures, scale);
        try (StopRequest stop = StopRequest.listen()) {
            PaperResult result = PaperResult.of(scale, figures(runner, scale, threads, stop));
            boolean isCutOff = stop.isAsked()
                    && result.figures().stream()
                            .anyMatch(figure -> !figure.failure().isEmpty());
            ResultDocument document = ResultDocument.of(NAME, Fingerprint.take(), result, result.criteria())
                    .endedBecause(isCutOff ? StopRequest.REASON : null);
            if (files != null) {
                files.write(document, result);
            }
            // The figures are printed by now.
            return output.finish(document, out -> {});
        }
    }

    /** {@return the results of the figures, each of which is printed as soon as it and those before it are there} */
    private List<FigureResult> figures(PaperRunner runner, Scale scale, int threads, StopRequest stop) {
        List<FigureResult> results = new ArrayList<>();
        PaperText text = new PaperText(output.text());
        try (Progress progress = output.progress()) {
            runner.run(
                    threads, () -> stop.await(ASK_NANOS), now -> progress.show(now.fraction(), now.line()), report -> {
                        FigureResult result = FigureResult.of(report, scale);
                        results.add(result);
                        if (!output.isJson()) {
                            progress.clear();
                            text.print(result);
                        }
                    });
        }
        return results;
    }
}
