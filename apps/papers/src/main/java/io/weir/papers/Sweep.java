package io.weir.papers;

import io.weir.transport.scenario.result.ScenarioResult;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * One file, run by some variants at some points.
 *
 * @param <P> what a point is; its text names the run
 * @param <R> what remains of a run
 * @param file the file of the catalogue
 * @param variants the lines of the figure
 * @param points the places along
 * @param settings what a point sets
 * @param extract reduces a result
 */
public record Sweep<P, R>(
        String file,
        List<Variant> variants,
        List<P> points,
        Function<P, List<String>> settings,
        Function<ScenarioResult, R> extract) {

    /** {@return the run of a variant at a point} */
    public PaperRun<R> run(Variant variant, P point) {
        return variant.run(file, point.toString(), extract, settings.apply(point));
    }

    /** {@return all runs} */
    public List<PaperRun<?>> runs() {
        List<PaperRun<?>> runs = new ArrayList<>();
        for (Variant variant : variants) {
            points.forEach(point -> runs.add(run(variant, point)));
        }
        return runs;
    }

    /** {@return what remains of a variant's run at a point} */
    public R at(RunResults results, Variant variant, P point) {
        return results.get(run(variant, point));
    }

    /** {@return what remains of a variant's runs, in the order of the points} */
    public List<R> all(RunResults results, Variant variant) {
        return points.stream().map(point -> at(results, variant, point)).toList();
    }
}
