package io.weir.papers.matrix;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.papers.Claim;
import io.weir.papers.Figure;
import io.weir.papers.PaperRun;
import io.weir.papers.RunResults;
import io.weir.papers.Scale;
import io.weir.papers.Unit;
import io.weir.papers.Verdict;
import io.weir.papers.matrix.Metric.Demand;
import io.weir.papers.run.FigureReport;
import io.weir.papers.run.PaperRunner;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Runs a small size of the matrix, and tests its verdicts on made-up values. */
class MatrixTest {
    @Test
    void small_everyCell_isMet() {
        PaperRunner runner = new PaperRunner(Matrix.small(), Scale.QUICK);
        for (FigureReport report : runner.run(1, () -> false, now -> {})) {
            assertEquals("", report.failure(), report.figure().id());
            assertFalse(report.findings().claims().isEmpty(), report.figure().id());
            report.findings().claims().forEach(claim -> assertEquals(Verdict.MET, claim.verdict(), claim::toString));
        }
    }

    @Test
    void figures_issueNamesNineGroups_areThere() {
        List<String> names = Matrix.figures().stream().map(Figure::id).toList();
        assertEquals(
                List.of(
                        "matrix/long",
                        "matrix/loss",
                        "matrix/on-off",
                        "matrix/leaving",
                        "matrix/short",
                        "matrix/messages",
                        "matrix/starts",
                        "matrix/bottlenecks",
                        "matrix/round-trips"),
                names);
    }

    private static Claim judge(Metric metric, Function<Contestant, Double> values) {
        Cell cell = Cell.of("cell", "long.yaml", List.of(1), List.of(metric));
        RunResults results = new RunResults();
        List<PaperRun<?>> runs = cell.runs();
        for (int i = 0; i < runs.size(); i++) {
            results.put(runs.get(i), List.of(values.apply(Contestant.ALL.get(i))));
        }
        return cell.claim("matrix/made", results);
    }

    private static double goodput(Contestant contestant, double weir) {
        if (contestant.equals(Contestant.WEIR)) {
            return weir;
        }
        // The bold authors' rule is not what the default is held against.
        return contestant.equals(Contestant.AUTHORS_BOLD) ? 200 : contestant.equals(Contestant.PAPER) ? 80 : 100;
    }

    @Test
    void claim_moreIsBetter_isHeldToTheBetterOfPaperAndCarefulAuthors() {
        Metric metric = Metric.more("goodput", Unit.NUMBER, result -> 0);
        assertEquals(Verdict.MET, judge(metric, rule -> goodput(rule, 95)).verdict());
        Claim failed = judge(metric, rule -> goodput(rule, 94));
        assertEquals(Verdict.FAILED, failed.verdict());
        assertEquals("goodput 1.1 % short", failed.distance());
        assertEquals("goodput at least 95", failed.criterion());
        assertTrue(failed.page().contains("expresspass.md"), failed.page());
    }

    @Test
    void claim_lessIsBetter_allowsSoMuchMore() {
        Metric metric = Metric.less("delay", Unit.NUMBER, result -> 0);
        assertEquals(Verdict.MET, judge(metric, rule -> goodput(rule, 84)).verdict());
        assertEquals(Verdict.FAILED, judge(metric, rule -> goodput(rule, 85)).verdict());
    }

    @Test
    void claim_demandOfItsOwn_holdsAlone() {
        Metric metric = Metric.less("delay", Unit.NUMBER, result -> 0).heldTo(Demand.of(Contestant.AUTHORS_BOLD, 1.2));
        assertEquals(Verdict.MET, judge(metric, rule -> goodput(rule, 240)).verdict());
        assertEquals(Verdict.FAILED, judge(metric, rule -> goodput(rule, 241)).verdict());
    }

    @Test
    void claim_noValue_isNotMet() {
        Metric metric = Metric.more("goodput", Unit.NUMBER, result -> 0);
        assertEquals(
                Verdict.FAILED, judge(metric, rule -> goodput(rule, Double.NaN)).verdict());
    }
}
