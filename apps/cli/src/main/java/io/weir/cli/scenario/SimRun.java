package io.weir.cli.scenario;

import io.weir.cli.environment.StopRequest;
import io.weir.cli.output.Progress;
import io.weir.cli.unit.Durations;
import io.weir.cli.unit.Fractions;
import io.weir.transport.scenario.Scenario;
import io.weir.transport.scenario.result.ScenarioResult;
import io.weir.transport.sim.world.Simulation;
import java.util.Locale;

/** Runs a scenario in virtual time until it is over or someone asks it to end, and shows how far it has come. */
final class SimRun {
    private static final long SHOW_NANOS = 200_000_000;
    private static final double MICROS_PER_NANO = 1e-3;

    private final Scenario scenario;
    private final StopRequest stop;
    private final Progress progress;
    private long shownNanos = System.nanoTime();
    private long shownEvents;

    SimRun(Scenario scenario, StopRequest stop, Progress progress) {
        this.scenario = scenario;
        this.stop = stop;
        this.progress = progress;
    }

    /** {@return what was found; all of it, or what was there when it was asked to end} */
    ScenarioResult run() {
        try (progress;
                Simulation simulation = new Simulation(scenario, System::nanoTime)) {
            return simulation.run((nowNanos, durationNanos) -> {
                show(simulation, nowNanos, durationNanos);
                return !stop.await(0);
            });
        }
    }

    private void show(Simulation simulation, long nowNanos, long durationNanos) {
        long wallNanos = System.nanoTime();
        if (wallNanos - shownNanos < SHOW_NANOS) {
            return;
        }
        long events = simulation.world().simulator().eventCount();
        double millionsPerSecond = (events - shownEvents) / ((wallNanos - shownNanos) * MICROS_PER_NANO);
        double fraction = (double) nowNanos / durationNanos;
        progress.show(
                fraction,
                Durations.print(nowNanos) + " of " + Durations.print(durationNanos) + ", " + Fractions.print(fraction)
                        + "; " + String.format(Locale.ROOT, "%.1f", millionsPerSecond) + " M events/s");
        shownNanos = wallNanos;
        shownEvents = events;
    }
}
