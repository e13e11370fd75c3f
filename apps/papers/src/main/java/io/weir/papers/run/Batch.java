package io.weir.papers.run;

import io.weir.papers.PaperRun;
import io.weir.transport.scenario.LinkSpec;
import io.weir.transport.scenario.Scenario;
import io.weir.transport.scenario.result.ScenarioResult;
import io.weir.transport.sim.world.Simulation;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * One simulation, and every run of every figure that it is: those of the same file and settings. One thread runs it;
 * any thread may ask how far it is, and how it ended.
 */
final class Batch {
    private final int figureIndex;
    private final Scenario scenario;
    private final List<Need> needs = new ArrayList<>();
    private final List<Object> extracts = new ArrayList<>();
    private volatile long virtualNanos;
    private volatile Outcome outcome = Outcome.NOT_BEGUN;

    /** Creates one that the figure at this place needs first. */
    Batch(int figureIndex, Scenario scenario) {
        this.figureIndex = figureIndex;
        this.scenario = scenario;
    }

    /**
     * A figure's need of the simulation.
     *
     * @param figure the figure's name
     * @param run what it calls it
     */
    record Need(String figure, PaperRun<?> run) {}

    void add(Need need) {
        needs.add(need);
    }

    /** {@return the figures' runs that it is} */
    List<Need> needs() {
        return needs;
    }

    /** {@return the place of the first figure that needs it} */
    int figureIndex() {
        return figureIndex;
    }

    /** {@return a number that grows with the work: the bits that its links could carry} */
    double work() {
        double rateBps = 0;
        for (LinkSpec link : scenario.network().links()) {
            rateBps += link.rateBps();
        }
        return rateBps * scenario.durationNanos();
    }

    /** {@return what it is and how far, for people} */
    RunProgress.Current current() {
        Need first = needs.get(0);
        return new RunProgress.Current(first.figure(), first.run().name(), virtualNanos, scenario.durationNanos());
    }

    /** Runs it, to its end or until {@code isStopped}, and keeps what the figures make of its result. */
    void run(BooleanSupplier isStopped) {
        try {
            ScenarioResult result = Simulation.run(scenario, System::nanoTime, (nowNanos, durationNanos) -> {
                virtualNanos = nowNanos;
                return !isStopped.getAsBoolean();
            });
            if (result.complete()) {
                needs.forEach(need -> extracts.add(need.run().extract().apply(result)));
            }
            outcome = Outcome.of(result);
        } catch (RuntimeException e) {
            extracts.clear();
            outcome = Outcome.failed(e);
        }
    }

    /** {@return whether it ran to its end, failed, or was stopped} */
    boolean hasEnded() {
        return !outcome.equals(Outcome.NOT_BEGUN);
    }

    /** {@return how it ended, or that it did not begin} */
    Outcome outcome() {
        return outcome;
    }

    /** {@return what remains for a run of a figure; null unless it ran to its end} */
    Object extract(PaperRun<?> run, String figure) {
        for (int i = 0; i < extracts.size(); i++) {
            Need need = needs.get(i);
            if (need.figure().equals(figure) && need.run().name().equals(run.name())) {
                return extracts.get(i);
            }
        }
        return null;
    }
}
