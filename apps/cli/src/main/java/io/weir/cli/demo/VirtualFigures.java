package io.weir.cli.demo;

import io.weir.cli.environment.StopRequest;
import io.weir.transport.scenario.Scenario;
import io.weir.transport.scenario.result.Percentiles;
import io.weir.transport.scenario.result.ScenarioResult;
import io.weir.transport.sim.world.Simulation;
import java.io.InterruptedIOException;

/**
 * What Weir does in the same network in virtual time, where no loop is ever off its core.
 *
 * @param goodputBps one flow alone: the application's bits per second
 * @param queueBytesMax the most that the trunk's data queue held with one flow
 * @param dataDrops data frames that the switches dropped
 * @param idleP50Nanos round trips of 64 B on an idle network: the median
 * @param idleP99Nanos the 99th percentile
 * @param loadedP50Nanos the same next to one flow: the median
 * @param loadedP99Nanos the 99th percentile
 */
record VirtualFigures(
        double goodputBps,
        long queueBytesMax,
        long dataDrops,
        long idleP50Nanos,
        long idleP99Nanos,
        long loadedP50Nanos,
        long loadedP99Nanos) {
    /**
     * {@return what the plan's network does}
     *
     * @throws InterruptedIOException if {@code stop} was asked for before
     */
    static VirtualFigures play(DemoPlan plan, StopRequest stop) throws InterruptedIOException {
        ScenarioResult alone = play(Trunk.virtual(plan, Trunk.FLOW), stop);
        Percentiles idle = roundTrips(play(Trunk.virtual(plan, Trunk.EXCHANGE), stop));
        ScenarioResult both = play(Trunk.virtual(plan, Trunk.FLOW, Trunk.EXCHANGE), stop);
        Percentiles loaded = roundTrips(both);
        return new VirtualFigures(
                alone.flows().get(0).goodputBps(),
                Trunk.toRight(alone).queueBytesMax(),
                alone.summary().dataDrops() + both.summary().dataDrops(),
                Math.round(idle.p50()),
                Math.round(idle.p99()),
                Math.round(loaded.p50()),
                Math.round(loaded.p99()));
    }

    private static ScenarioResult play(Scenario scenario, StopRequest stop) throws InterruptedIOException {
        ScenarioResult result = Simulation.run(scenario, System::nanoTime, (nowNanos, durationNanos) -> !stop.await(0));
        stop.requireGoing();
        return result;
    }

    private static Percentiles roundTrips(ScenarioResult result) {
        return result.exchanges().get(0).roundNanos();
    }
}
