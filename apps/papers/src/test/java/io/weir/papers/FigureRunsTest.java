package io.weir.papers;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.cli.yaml.YamlFile;
import io.weir.papers.command.Papers;
import io.weir.papers.run.ScenarioFiles;
import io.weir.transport.scenario.Measurement;
import io.weir.transport.scenario.Scenario;
import io.weir.transport.scenario.Traffic;
import io.weir.transport.scenario.result.ScenarioResult;
import io.weir.transport.sim.world.Simulation;
import io.weir.transport.time.Deadline;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that the figures that are files can be judged: the first point of each line, and each with settings that others
 * do not have, really runs, if only for moments. A run has whatever the figure's values name, such as a series. What
 * comes of other points is taken to be the same; whether claims are met is not looked at.
 */
class FigureRunsTest {
    /** A run that ends at a time is cut to this, with all its times in proportion. */
    private static final long DURATION_NANOS = 4_000_000;

    /** A run that ends when it is done has no more flows, messages and rounds than these, and no larger ones. */
    private static final int COUNT = 15;

    private static final long BYTES = 100_000;
    private static final int ROUNDS = 1;

    private final Map<String, Object> extracts = new HashMap<>();
    private final List<String> faults = new ArrayList<>();

    static Stream<Figure> figures() {
        return Papers.FIGURES.stream().filter(FileFigure.class::isInstance);
    }

    /** {@return a run's settings, in which the point's name is no difference} */
    private static String kind(FileFigure figure, PaperRun<?> run, Scale scale) {
        String settings = run.file() + String.join("\n", run.settings());
        for (FileFigure.Point point : figure.points().get(scale)) {
            if (!point.name().isEmpty() && (" " + run.name()).endsWith(" " + point.run())) {
                return settings.replaceAll("(?<![\\w.])" + Pattern.quote(point.name()) + "(?![\\w.])", "\\$point");
            }
        }
        return settings;
    }

    private static Scenario shortened(Scenario scenario) {
        double part = scenario.endsWhenDone() ? 1 : Math.min(1, (double) DURATION_NANOS / scenario.durationNanos());
        Measurement measured = scenario.measurement();
        return new Scenario(
                scenario.name(),
                scenario.description(),
                scenario.seed(),
                part(scenario.durationNanos(), part),
                scenario.endsWhenDone(),
                scenario.network(),
                scenario.traffic().stream()
                        .map(traffic -> shortened(traffic, part))
                        .toList(),
                scenario.faults(),
                new Measurement(
                        part(measured.intervalNanos(), part),
                        part(measured.warmUpNanos(), part),
                        measured.perFlow(),
                        measured.perPort(),
                        measured.perWindow()),
                scenario.tokens());
    }

    private static Traffic shortened(Traffic traffic, double part) {
        if (traffic instanceof Traffic.Flows flows) {
            return flows.withStart(part(flows.start(), part))
                    .withStop(part(flows.stop(), part))
                    .withBytes(
                            flows.bytes() == Traffic.UNLIMITED_BYTES ? flows.bytes() : Math.min(BYTES, flows.bytes()))
                    .withPauses(part(flows.onNanos(), part), part(flows.offNanos(), part));
        } else if (traffic instanceof Traffic.Poisson flows) {
            return flows.withTime(part(flows.startNanos(), part), part(flows.untilNanos(), part))
                    .withCount(Math.min(COUNT, flows.count()));
        } else if (traffic instanceof Traffic.Exchange rounds) {
            return rounds.withStartNanos(part(rounds.startNanos(), part))
                    .withGapNanos(part(rounds.gapNanos(), part))
                    .withRounds(Math.min(ROUNDS, rounds.rounds()));
        } else if (traffic instanceof Traffic.Messages messages) {
            return messages.withLeadNanos(part(messages.leadNanos(), part))
                    .withTime(part(messages.startNanos(), part), part(messages.untilNanos(), part))
                    .withCount(Math.min(COUNT, messages.count()));
        } else if (traffic instanceof Traffic.Calls calls) {
            return calls.withRounds(Math.min(ROUNDS, calls.rounds()), part(calls.gapNanos(), part))
                    .withStart(part(calls.leadNanos(), part), part(calls.start(), part));
        }
        return traffic;
    }

    private static Traffic.Times part(Traffic.Times times, double part) {
        return new Traffic.Times(
                part(times.atNanos(), part), part(times.everyNanos(), part), part(times.spreadNanos(), part));
    }

    private static long part(long nanos, double part) {
        return nanos == Deadline.NO_DEADLINE ? nanos : Math.round(nanos * part);
    }

    /** {@return whether a value is of flows of some sizes, of which a short run may have none} */
    private static boolean mayBeEmpty(FileFigure figure, Object name) {
        return Pattern.compile("\\b" + name + ": .*completionNanosOfSizes\\[")
                .matcher(YamlFile.resource(FigureFile.class, "/io/weir/papers/figures/" + figure.id() + ".yaml"))
                .find();
    }

    private Object extract(FileFigure figure, PaperRun<?> run) {
        try {
            ScenarioResult result =
                    Simulation.run(shortened(ScenarioFiles.read(run)), System::nanoTime, Simulation.Progress.UNWATCHED);
            Object extract = run.extract().apply(result);
            ((Map<?, ?>) extract).forEach((name, values) -> {
                boolean isThere =
                        !values.equals(List.of()) && !values.toString().contains("NaN");
                if (!isThere && !mayBeEmpty(figure, name)) {
                    faults.add("run \"" + run.name() + "\" has no " + name + ": " + run.command());
                }
            });
            return extract;
        } catch (RuntimeException e) {
            faults.add("run \"" + run.name() + "\": " + e + ": " + run.command());
            return Map.of();
        }
    }

    @ParameterizedTest
    @MethodSource("figures")
    void evaluate_shortRunOfEachKind_hasEveryValue(FileFigure figure) {
        for (Scale scale : Scale.values()) {
            RunResults results = new RunResults();
            for (PaperRun<?> run : figure.runs(scale)) {
                String kind = kind(figure, run, scale);
                if (!extracts.containsKey(kind)) {
                    extracts.put(kind, extract(figure, run));
                }
                results.put(run, extracts.get(kind));
            }
            assertEquals(List.of(), faults, figure.id() + ", " + scale);
            figure.evaluate(results, scale);
        }
    }
}
