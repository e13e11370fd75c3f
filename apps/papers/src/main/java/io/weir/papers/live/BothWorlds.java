package io.weir.papers.live;

import io.weir.cli.lab.LabFigures;
import io.weir.cli.lab.LabRun;
import io.weir.papers.Claim;
import io.weir.papers.PaperRun;
import io.weir.papers.RunResults;
import io.weir.papers.Table;
import io.weir.papers.Unit;
import io.weir.papers.run.ScenarioFiles;
import io.weir.transport.scenario.result.ScenarioResult;
import io.weir.transport.sim.world.Simulation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * What remains of an experiment in virtual time, and of the same file on real ports.
 *
 * @param <R> what remains of a run
 * @param name what the report calls it
 * @param simulated of virtual time
 * @param live of the laboratory
 * @param lab how well that kept time
 */
public record BothWorlds<R>(String name, R simulated, R live, LabFigures lab) {
    private static final List<String> COLUMNS = List.of("", "simulated", "on real ports");

    /** {@return a run that was simulated, and is now repeated in a laboratory} */
    public static <R> BothWorlds<R> of(PaperRun<R> run, RunResults simulated) throws IOException {
        LabRun.Outcome outcome = new LabRun(
                        ScenarioFiles.read(run), new LabRun.Options(true, true, false), Simulation.Progress.UNWATCHED)
                .run();
        ScenarioResult result = outcome.result();
        if (!result.complete() || !result.problems().isEmpty()) {
            throw new IOException("the run \"" + run.name() + "\" on real ports did not come to its end: "
                    + String.join("; ", result.problems()) + "; repeat it with " + command(run));
        }
        return new BothWorlds<>(run.name(), simulated.get(run), run.extract().apply(result), outcome.figures());
    }

    /** {@return several runs that were simulated, each repeated in its own laboratory} */
    public static <R> List<BothWorlds<R>> ofAll(List<PaperRun<R>> runs, RunResults simulated) throws IOException {
        List<BothWorlds<R>> all = new ArrayList<>();
        for (PaperRun<R> run : runs) {
            all.add(of(run, simulated));
        }
        return all;
    }

    /** {@return the same of three laboratories: the one whose value is between those of the others} */
    public static <R> BothWorlds<R> medianOf3(PaperRun<R> run, RunResults simulated, ToDoubleFunction<R> value)
            throws IOException {
        List<BothWorlds<R>> all = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            all.add(of(run, simulated));
        }
        all.sort(Comparator.comparingDouble(world -> value.applyAsDouble(world.live())));
        return all.get(1);
    }

    private static String command(PaperRun<?> run) {
        return run.command().replaceFirst("weir sim", "weir lab") + " --force";
    }

    /** {@return the claim that a value on real ports is within a share of the simulated one} */
    public Claim near(String id, String what, ToDoubleFunction<R> value, double share) {
        return Claim.about(id, what + ": the distance of real ports from the simulation", "not in the paper")
                .atMost(Math.abs(value.applyAsDouble(live) / value.applyAsDouble(simulated) - 1), share, Unit.SHARE);
    }

    /** {@return a table of rows of a name, its value in virtual time, and that on real ports} */
    public static Table table(List<List<String>> rows) {
        return new Table("In both worlds", COLUMNS, rows);
    }

    /** A table of values in both worlds, built row by row. */
    public static final class Comparison {
        private final List<List<String>> rows = new ArrayList<>();

        /** Creates one without rows. */
        public Comparison() {}

        /** Adds a value. */
        public <R> Comparison row(BothWorlds<R> run, String what, Unit unit, ToDoubleFunction<R> value) {
            rows.add(List.of(
                    run.name() + ": " + what,
                    unit.print(value.applyAsDouble(run.simulated())),
                    unit.print(value.applyAsDouble(run.live()))));
            return this;
        }

        /** Adds how well the laboratory kept time. */
        public Comparison time(BothWorlds<?> run) {
            rows.add(List.of(
                    run.name() + ": the loop was away, and time stood still",
                    "",
                    Unit.SHARE.print(run.lab().awayFraction())));
            return this;
        }

        /** {@return the table} */
        public Table table() {
            return BothWorlds.table(rows);
        }
    }
}
