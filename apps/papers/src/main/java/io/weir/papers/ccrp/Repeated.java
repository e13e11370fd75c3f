package io.weir.papers.ccrp;

import io.weir.papers.PaperRun;
import io.weir.papers.RunResults;
import io.weir.papers.Statistics;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * One experiment, run once for each seed. Figures judge what lies in the middle, so that no seed decides.
 *
 * @param runs the runs, in the order of their seeds
 */
record Repeated(List<PaperRun<Mix>> runs) {
    /** {@return the median of a value over the seeds} */
    double median(RunResults results, ToDoubleFunction<Mix> value) {
        return Statistics.median(
                runs.stream().map(run -> value.applyAsDouble(results.get(run))).toList());
    }

    /** {@return what the first seed found, for a chart of its course} */
    Mix first(RunResults results) {
        return results.get(runs.get(0));
    }
}
