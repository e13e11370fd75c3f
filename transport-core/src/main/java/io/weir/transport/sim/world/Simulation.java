package io.weir.transport.sim.world;

import io.weir.transport.scenario.Scenario;
import io.weir.transport.scenario.result.ScenarioResult;
import io.weir.transport.scenario.run.ScenarioRun;
import io.weir.transport.scenario.run.ServicePorts;
import io.weir.transport.scenario.topology.Wiring;
import java.util.function.LongSupplier;

/**
 * Runs a scenario in virtual time, slice by slice: between two slices a caller learns how far it is and may end it.
 *
 * <p>Equal scenarios give equal results; the length of a slice follows from the scenario alone.
 */
public final class Simulation implements AutoCloseable {
    private static final int SLICES = 1_000;
    private static final long SLICE_NANOS_MIN = 1_000;
    /** A run that ends when all is done should not measure much more than that. */
    private static final long SLICE_NANOS_MAX = 100_000;
    /** Of a large network this takes a second outside; a caller that ends a run waits for no more than one slice. */
    private static final long FIXED_LENGTH_SLICE_NANOS_MAX = 1_000_000;

    private final Scenario scenario;
    private final SimWorld world;
    private final ScenarioRun run;
    private final LongSupplier wallNanos;
    private final long sliceNanos;
    private final long startWallNanos;

    /**
     * Builds the scenario's world, or says what is wrong with it.
     *
     * @param wallNanos the time outside, for the report of how long the run took
     */
    public Simulation(Scenario scenario, SimOptions options, LongSupplier wallNanos) {
        this.scenario = scenario;
        this.wallNanos = wallNanos;
        this.startWallNanos = wallNanos.getAsLong();
        long longestNanos = scenario.endsWhenDone() ? SLICE_NANOS_MAX : FIXED_LENGTH_SLICE_NANOS_MAX;
        this.sliceNanos = Math.max(SLICE_NANOS_MIN, Math.min(longestNanos, scenario.durationNanos() / SLICES));
        Wiring wiring = new Wiring(scenario.network());
        ServicePorts services = new ServicePorts(scenario);
        this.world = new SimWorld(scenario, wiring, services, options);
        this.run = new ScenarioRun(scenario, world, wiring, services);
        run.start();
    }

    /** Builds the scenario's world with the default options. */
    public Simulation(Scenario scenario, LongSupplier wallNanos) {
        this(scenario, SimOptions.DEFAULT, wallNanos);
    }

    /** Is told how far a simulation is. */
    @FunctionalInterface
    public interface Progress {
        /** Goes on to the end, whatever happens. */
        Progress UNWATCHED = (nowNanos, durationNanos) -> true;

        /** {@return whether to go on: the virtual time is {@code nowNanos} of at most {@code durationNanos}} */
        boolean onSlice(long nowNanos, long durationNanos);
    }

    /** {@return what the whole scenario finds} */
    public static ScenarioResult run(Scenario scenario, LongSupplier wallNanos, Progress progress) {
        try (Simulation simulation = new Simulation(scenario, wallNanos)) {
            return simulation.run(progress);
        }
    }

    /** {@return what was found: all of it, or, when {@code progress} ends it, what was there by then} */
    public ScenarioResult run(Progress progress) {
        boolean goesOn = true;
        while (goesOn && !isOver()) {
            long untilNanos = Math.min(world.nowNanos() + sliceNanos, scenario.durationNanos());
            world.simulator().run(untilNanos);
            goesOn = progress.onSlice(untilNanos, scenario.durationNanos());
        }
        ScenarioResult.Run figures = new ScenarioResult.Run(
                scenario.seed(),
                world.nowNanos(),
                wallNanos.getAsLong() - startWallNanos,
                world.simulator().eventCount(),
                world.simulator().frameCount(),
                world.trace().toString());
        return run.result("simulation", isOver(), figures);
    }

    private boolean isOver() {
        return world.nowNanos() >= scenario.durationNanos() || (scenario.endsWhenDone() && run.isDone());
    }

    /** {@return the network, for questions that the result does not answer} */
    public SimWorld world() {
        return world;
    }

    /** Gives back the frames. */
    @Override
    public void close() {
        world.close();
    }
}
