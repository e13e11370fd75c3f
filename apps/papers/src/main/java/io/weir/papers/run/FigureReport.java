package io.weir.papers.run;

import io.weir.papers.Figure;
import io.weir.papers.Findings;
import java.util.List;

/**
 * The outcome of a figure.
 *
 * @param figure the figure
 * @param findings what it found, or null if it could not be judged
 * @param failure why it could not be judged, or empty
 * @param runs its runs, in their order
 */
public record FigureReport(Figure figure, Findings findings, String failure, List<RunReport> runs) {
    public FigureReport {
        runs = List.copyOf(runs);
    }

    /** {@return whether every run was good and every claim met} */
    public boolean isGood() {
        return failure.isEmpty()
                && runs.stream().allMatch(RunReport::succeeded)
                && findings.claims().stream().allMatch(claim -> claim.verdict().isGood());
    }
}
