package io.weir.papers.report;

import io.weir.cli.output.Criterion;
import io.weir.papers.Scale;
import java.util.ArrayList;
import java.util.List;

/**
 * What {@code weir paper} found, as its document has it.
 *
 * @param scale {@code quick} or {@code full}
 * @param complete whether every run came to its end
 * @param figures the figures, in their order
 */
public record PaperResult(String scale, boolean complete, List<FigureResult> figures) {
    public PaperResult {
        figures = List.copyOf(figures);
    }

    /** {@return the result of these figures} */
    public static PaperResult of(Scale scale, List<FigureResult> figures) {
        boolean isComplete =
                figures.stream().flatMap(figure -> figure.runs().stream()).allMatch(run -> run.complete());
        return new PaperResult(scale.label(), isComplete, figures);
    }

    /** {@return what is demanded of each figure} */
    public List<Criterion> criteria() {
        List<Criterion> criteria = new ArrayList<>();
        for (FigureResult figure : figures) {
            if (!figure.failure().isEmpty()) {
                criteria.add(Criterion.holds(figure.id() + ": its runs could be judged", false));
            } else {
                criteria.add(Criterion.equal(
                        figure.id() + ": claims not met, of " + figure.claims().size(), figure.shortCount(), 0L, ""));
            }
            if (figure.problemCount() > 0) {
                criteria.add(Criterion.equal(figure.id() + ": runs with problems", figure.problemCount(), 0L, ""));
            }
        }
        return criteria;
    }
}
