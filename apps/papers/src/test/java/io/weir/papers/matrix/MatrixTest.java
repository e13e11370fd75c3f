package io.weir.papers.matrix;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
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
import io.weir.transport.scenario.result.FlowResult;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Runs a small size of the matrix, and tests its verdicts on made-up values. */
class MatrixTest {
    @Test
    void small_everyCell_isMet() {
        PaperRunner runner = new PaperRunner(Matrix.small(), Scale.QUICK);
        List<FigureReport> reports = new ArrayList<>();
        runner.run(1, () -> false, now -> {}, reports::add);
        for (FigureReport report : reports) {
            assertEquals("", report.failure(), report.figure().id());
            assertFalse(report.findings().claims().isEmpty(), report.figure().id());
            report.findings().claims().forEach(claim -> assertEquals(Verdict.MET, claim.verdict(), claim::toString));
        }
    }

    @Test
    void figures_every_isThere() {
        List<String> names = Matrix.figures().stream().map(Figure::id).toList();
        assertEquals(
                List.of(
                        "matrix/long",
                        "matrix/loss",
                        "matrix/on-off",
                        "matrix/leaving",
                        "matrix/short",
                        "matrix/messages",
                        "matrix/warm",
                        "matrix/rpc",
                        "matrix/trunk",
                        "matrix/openings",
                        "matrix/starts",
                        "matrix/bottlenecks",
                        "matrix/round-trips",
                        "matrix/before"),
                names);
    }

    @Test
    void runs_ofTheCellsHeldToEarlierValues_findThemForEverySeed() {
        Figure before = Matrix.figures().stream()
                .filter(figure -> figure.id().equals("matrix/before"))
                .findFirst()
                .orElseThrow();
        assertEquals(30, before.runs(Scale.QUICK).size());
        assertEquals(50, before.runs(Scale.FULL).size());
    }

    @Test
    void median_ofEarlierValues_isOfTheseSeeds() {
        double first = Before.median("6 links", "flow over all", List.of(1));
        double second = Before.median("6 links", "flow over all", List.of(2));
        assertTrue(first > 1e9, () -> "a flow over six links has " + first);
        assertEquals((first + second) / 2, Before.median("6 links", "flow over all", List.of(1, 2)));
        assertThrows(IllegalStateException.class, () -> Before.median("7 links", "flow over all", List.of(1)));
    }

    private static FlowResult flow(String id, long startNanos, Long completionNanos) {
        return new FlowResult(id, "h1", "h2", "weir", 1_000, startNanos, completionNanos, 0, 0, null);
    }

    @Test
    void p99Nanos_ofMessagesAfterABurst_leavesOutThoseBefore() {
        List<FlowResult> flows =
                List.of(flow("message-0", 10, 900L), flow("burst-0", 20, 800L), flow("message-1", 20, 300L));
        assertEquals(900, Reading.p99Nanos(flows, "message", 0));
        assertEquals(300, Reading.p99Nanos(flows, "message", 20));
        assertEquals(Double.NaN, Reading.p99Nanos(flows, "message", 21));
        assertEquals(Double.NaN, Reading.p99Nanos(List.of(flow("message-0", 0, null)), "message", 0));
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
        assertEquals("goodput failed by 1.1 %", failed.distance());
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
    void claim_heldToAnotherCell_takesTheDefaultsValueThere() {
        Metric delay = Metric.less("delay", Unit.NUMBER, result -> 0).heldTo();
        Cell calm = Cell.of("calm", "long.yaml", List.of(1), List.of(delay));
        Cell burst = Cell.of("burst", "long.yaml", List.of(1), List.of(delay.heldTo(Demand.ofCell(calm, 1.5))))
                .alone();
        RunResults results = new RunResults();
        // The default's run is the first of each cell; the other rules have more, which must not count.
        calm.runs().forEach(run -> results.put(run, List.of(run.name().contains("weir") ? 100.0 : 500.0)));
        results.put(burst.runs().get(0), List.of(151.0));
        Claim failed = burst.claim("matrix/made", results);
        assertEquals(Verdict.FAILED, failed.verdict());
        assertEquals("delay at most 150", failed.criterion());
        assertEquals(List.of("burst", "weir", "151"), burst.row(results, Contestant.WEIR));
    }

    @Test
    void claim_ofTheWorstSeed_doesNotTakeTheMedian() {
        Metric longest = Metric.less("longest", Unit.NUMBER, result -> 0)
                .worst()
                .heldTo(Demand.of(Contestant.AUTHORS_BOLD, 1, 10));
        Cell cell = Cell.of("cell", "long.yaml", List.of(1, 2, 3), List.of(longest))
                .by(List.of(Contestant.WEIR, Contestant.AUTHORS_BOLD));
        RunResults results = new RunResults();
        // The default's three seeds come first. One of its runs stalls.
        List<Double> values = List.of(20.0, 21.0, 2_000.0, 22.0, 30.0, 22.0);
        List<PaperRun<?>> runs = cell.runs();
        for (int i = 0; i < runs.size(); i++) {
            results.put(runs.get(i), List.of(values.get(i)));
        }
        Claim failed = cell.claim("matrix/made", results);
        assertEquals(Verdict.FAILED, failed.verdict());
        assertEquals("longest at most 40", failed.criterion());
    }

    @Test
    void claim_noValue_isNotMet() {
        Metric metric = Metric.more("goodput", Unit.NUMBER, result -> 0);
        assertEquals(
                Verdict.FAILED, judge(metric, rule -> goodput(rule, Double.NaN)).verdict());
    }
}
