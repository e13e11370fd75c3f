package io.weir.bench.compare;

import io.weir.bench.command.Arguments;
import io.weir.bench.compare.end.EndOutput;
import io.weir.bench.compare.end.EndSpec;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Compares Weir with others that do the same job: in turns, each as separate processes, on links of the same kind on
 * the same machine, in one run. What counts are ratios within a round.
 */
public final class Compare {
    private static final double SECONDS_AROUND = 3;
    private static final double SECONDS_PER_MINUTE = 60;
    private static final double SPIN_SECONDS_MAX = 20;

    private final CompareOptions options;
    private final PrintStream progress;

    private Compare(CompareOptions options, PrintStream progress) {
        this.options = options;
        this.progress = progress;
    }

    /** Does what the arguments say; the exit status is 2 if they are wrong. */
    @SuppressWarnings("SystemOut")
    public static void main(String[] arguments) throws IOException, InterruptedException {
        CompareOptions options = Arguments.readOrExit(() -> CompareOptions.parse(arguments), CompareOptions.USAGE);
        CompareFindings findings = run(options, System.err);
        CompareDocument document = new CompareDocument(findings, List.of(arguments));
        List<CompareSection> sections = new CompareSections(findings).all();
        String markdown = CompareMarkdown.text(document.introduction(), sections);
        System.out.print(markdown);
        if (options.out() != null) {
            Files.writeString(Path.of(options.out()), document.json());
        }
        if (options.page() != null) {
            Files.writeString(Path.of(options.page()), ComparePage.html(document.introduction(), sections));
        }
        if (options.into() != null) {
            CompareMarkdown.putInto(Path.of(options.into()), markdown);
        }
    }

    /** {@return what all turns gave} */
    static CompareFindings run(CompareOptions options, PrintStream progress) throws IOException, InterruptedException {
        return new Compare(options, progress).run();
    }

    private CompareFindings run() throws IOException, InterruptedException {
        List<CompareTurn> turns = TurnOrder.of(options);
        double minutes =
                turns.size() * (options.warmSeconds() + options.seconds() + SECONDS_AROUND) / SECONDS_PER_MINUTE;
        progress.printf("%d runs, at most some %.0f minutes%n", turns.size(), Math.ceil(minutes));
        Map<CompareTurn, TurnOutcome> outcomes = new LinkedHashMap<>();
        try (SharedFolder folder = new SharedFolder();
                CompareNetwork network = new CompareNetwork(options)) {
            TurnRunner runner = new TurnRunner(options, network, folder.path());
            if (options.hasArchives()) {
                writeArchives(runner);
            }
            int done = 0;
            EndProcess spinning = null;
            int spinners = 0;
            try {
                for (CompareTurn turn : turns) {
                    if (turn.spinners() != spinners) {
                        spinners = turn.spinners();
                        spinning = respin(spinning, spinners);
                    }
                    TurnOutcome outcome = runner.run(turn);
                    outcomes.put(turn, outcome);
                    say(++done, turns.size(), turn, outcome);
                }
            } finally {
                if (spinning != null) {
                    spinning.close();
                }
            }
        }
        return new CompareFindings(options, outcomes);
    }

    private void writeArchives(TurnRunner runner) throws InterruptedException {
        for (Rival rival : options.rivals()) {
            progress.printf("archive of classes  %s: %s%n", rival.name(), runner.writeArchives(rival));
        }
    }

    private static EndProcess respin(EndProcess spinning, int spinners) throws IOException, InterruptedException {
        if (spinning != null) {
            spinning.close();
        }
        if (spinners == 0) {
            return null;
        }
        EndProcess next = EndProcess.start(
                null, EndSpec.empty().with(EndSpec.ROLE, "spin").with(EndSpec.COUNT, spinners), List.of());
        try {
            next.await(EndOutput.OPEN, SPIN_SECONDS_MAX);
        } catch (EndException e) {
            next.close();
            throw new IOException("no spinning threads: " + e.getMessage(), e);
        }
        return next;
    }

    private void say(int done, int all, CompareTurn turn, TurnOutcome outcome) {
        String what = "-";
        if (outcome.isFailure()) {
            what = outcome.failureText();
        } else {
            for (Measure measure :
                    List.of(Measure.GOODPUT, Measure.CALLS, Measure.P50, Measure.CONNECTS, Measure.CPU)) {
                if (outcome.values().containsKey(measure)) {
                    what = measure.text(outcome.values().get(measure)) + " " + measure.unit();
                    break;
                }
            }
        }
        progress.printf(
                "%d/%d  round %d  %-40s %-18s %s%n",
                done,
                all,
                turn.round() + 1,
                CompareSections.title(turn.job(), turn.spinners()),
                turn.rival().name(),
                what);
    }
}
