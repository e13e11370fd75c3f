package io.weir.cli.scenario;

import io.weir.cli.environment.PortFingerprint;
import io.weir.cli.environment.StopRequest;
import io.weir.cli.output.OutputOptions;
import io.weir.cli.output.Progress;
import io.weir.cli.unit.Durations;
import io.weir.cli.unit.Fractions;
import io.weir.transport.node.ConfigException;
import io.weir.transport.scenario.Scenario;
import io.weir.transport.scenario.result.ScenarioResult;
import io.weir.transport.sim.world.Simulation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Runs the scenario that a file describes, in virtual time. */
@Command(
        name = "sim",
        description = {
            "Run a scenario file in virtual time.",
            "Hosts, switches and protocols are those that run on real ports; links and time are simulated. The same file and"
                    + " seed give the same result. docs/SCENARIOS.md has the file's keys."
        })
public final class SimCommand implements Callable<Integer> {
    private static final String NAME = "sim";
    private static final long SHOW_NANOS = 200_000_000;
    private static final double MICROS_PER_NANO = 1e-3;

    @Mixin
    private OutputOptions output;

    @Mixin
    private ScenarioOptions options;

    @Parameters(paramLabel = "SCENARIO", description = "The scenario, in YAML.")
    private Path file;

    @Option(
            names = "--trace",
            paramLabel = "FILE",
            description = "Write every frame on every link as pcapng, for Wireshark; without payload.")
    private Path trace;

    /** For picocli. */
    public SimCommand() {}

    @Override
    public Integer call() throws IOException {
        return options.run(NAME, file, output, (scenario, stop, progress) -> {
            requireSimulated(scenario);
            ScenarioResult result = run(scenario, stop, progress);
            String ended = result.complete() ? null : StopRequest.REASON;
            return new ScenarioOptions.Ran(result, result, List.of(PortFingerprint.SIMULATED), ended);
        });
    }

    private static void requireSimulated(Scenario scenario) {
        scenario.traffic().stream().filter(KernelTcp::carries).findFirst().ifPresent(traffic -> {
            throw new ConfigException("traffic '" + traffic.id() + "' has protocol "
                    + traffic.protocol().preset()
                    + ", the kernel's, and virtual time has no kernel; run the file by weir"
                    + " lab, or give the traffic a protocol of Weir's");
        });
    }

    /** {@return what was found; all of it, or what was there when it was asked to end} */
    private ScenarioResult run(Scenario scenario, StopRequest stop, Progress progress) throws IOException {
        try (progress;
                Simulation simulation = new Simulation(scenario, System::nanoTime);
                SimCapture capture = trace == null ? null : SimCapture.to(trace)) {
            if (capture != null) {
                simulation.world().watch(capture);
            }
            Display display = new Display(simulation, progress);
            return simulation.run((nowNanos, durationNanos) -> {
                display.show(nowNanos, durationNanos);
                return !stop.await(0);
            });
        } catch (UncheckedIOException e) {
            throw new IOException(
                    "--trace: " + trace + " cannot be written: " + e.getCause().getMessage(), e);
        }
    }

    /** Shows how far a simulation has come. */
    private static final class Display {
        private final Simulation simulation;
        private final Progress progress;
        private long shownNanos = System.nanoTime();
        private long shownEvents;

        Display(Simulation simulation, Progress progress) {
            this.simulation = simulation;
            this.progress = progress;
        }

        void show(long nowNanos, long durationNanos) {
            long wallNanos = System.nanoTime();
            if (wallNanos - shownNanos < SHOW_NANOS) {
                return;
            }
            long events = simulation.world().simulator().eventCount();
            double millionsPerSecond = (events - shownEvents) / ((wallNanos - shownNanos) * MICROS_PER_NANO);
            double fraction = (double) nowNanos / durationNanos;
            progress.show(
                    fraction,
                    Durations.print(nowNanos) + " of " + Durations.print(durationNanos) + ", "
                            + Fractions.print(fraction) + "; " + String.format(Locale.ROOT, "%.1f", millionsPerSecond)
                            + " M events/s");
            shownNanos = wallNanos;
            shownEvents = events;
        }
    }
}
