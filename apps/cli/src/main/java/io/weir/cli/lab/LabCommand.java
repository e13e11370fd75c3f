package io.weir.cli.lab;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.weir.cli.environment.PortFingerprint;
import io.weir.cli.environment.StopRequest;
import io.weir.cli.output.OutputOptions;
import io.weir.cli.output.Progress;
import io.weir.cli.scenario.ScenarioOptions;
import io.weir.cli.unit.Durations;
import io.weir.cli.unit.Fractions;
import io.weir.transport.scenario.Scenario;
import io.weir.transport.scenario.result.ScenarioResult;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs the scenario that a file describes on real ports. */
@Command(
        name = "lab",
        description = {
            "Run a scenario file on real ports: its hosts in network namespaces, AF_XDP at both ends of every link.",
            "The file, the hosts, the switches and the result are those of weir sim; time is real. Needs root. What one"
                    + " loop cannot carry is refused before anything is touched. docs/LAB.md lists what differs."
        },
        subcommands = {LabUpCommand.class, LabDownCommand.class})
public final class LabCommand implements Callable<Integer> {
    private static final String NAME = "lab";

    @Spec
    private CommandSpec spec;

    @Mixin
    private OutputOptions output;

    @Mixin
    private ScenarioOptions options;

    // Optional for picocli, because up and down have other parameters.
    @Parameters(arity = "0..1", paramLabel = "SCENARIO", description = "The scenario, in YAML.")
    private Path file;

    @Option(names = "--force", description = "Run it even if the lab's loop cannot carry it in time; it takes longer.")
    private boolean isForced;

    @Option(
            names = "--no-realtime",
            description = "Leave the loop's thread in the ordinary scheduling class, where it waits for other threads.")
    private boolean isOrdinary;

    @Option(
            names = "--machine-time",
            description = "Let the lab's time continue while its loop is off its core, as it does next to kernel TCP.")
    private boolean isMachineTime;

    /**
     * What a run in a laboratory prints: the document of a simulation, and how well the laboratory kept time.
     *
     * @param result what the scenario found
     * @param lab how regularly the loop ran
     */
    private record LabResult(@JsonUnwrapped ScenarioResult result, LabFigures lab) {}

    /** For picocli. */
    public LabCommand() {}

    @Override
    public Integer call() throws IOException {
        if (file == null) {
            throw new ParameterException(spec.commandLine(), "Missing required parameter: 'SCENARIO'");
        }
        return options.run(NAME, file, output, this::run);
    }

    private ScenarioOptions.Ran run(Scenario scenario, StopRequest stop, Progress progress) throws IOException {
        try (progress) {
            progress.show("building the laboratory");
            LabRun.Outcome outcome = new LabRun(
                            scenario,
                            new LabRun.Options(isForced, !isOrdinary, isMachineTime),
                            (nowNanos, durationNanos) -> {
                                progress.show(
                                        (double) nowNanos / durationNanos,
                                        Durations.print(nowNanos) + " of " + Durations.print(durationNanos));
                                return !stop.await(0);
                            })
                    .run();
            print(outcome.figures());
            return new ScenarioOptions.Ran(
                    outcome.result(),
                    new LabResult(outcome.result(), outcome.figures()),
                    outcome.ports().stream().map(PortFingerprint::of).toList(),
                    outcome.ended());
        }
    }

    private void print(LabFigures figures) {
        figures.notes().forEach(note -> output.text().println("note: " + note));
        output.text()
                .println("The lab's loop was away for " + Fractions.print(figures.awayFraction()) + " of "
                        + Durations.print(figures.loopNanos())
                        + (figures.timeStandsStill() ? ", in which the lab's time stood still; " : "; ")
                        + figures.framesLost() + " frames came when there was no room for them.");
    }
}
