package io.weir.papers.comparison;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.papers.Figure;
import io.weir.papers.Findings;
import io.weir.papers.PaperRun;
import io.weir.papers.RunResults;
import io.weir.papers.Scale;
import io.weir.papers.Table;
import io.weir.papers.Verdict;
import io.weir.transport.protocol.ProtocolKind;
import io.weir.transport.protocol.catalogue.Catalogue;
import io.weir.transport.scenario.result.Percentiles;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Tests the tables in which all protocols stand side by side. */
class SideBySideTest {
    private static final Figure INCAST = Experiments.figures().get(0);
    private static final Figure STAGGERED = Experiments.figures().get(1);

    private static Findings findings(Figure figure, Function<String, Object> extractOfRun) {
        RunResults results = new RunResults();
        for (PaperRun<?> run : figure.runs(Scale.QUICK)) {
            results.put(run, extractOfRun.apply(run.name()));
        }
        return figure.evaluate(results, Scale.QUICK);
    }

    private static Experiments.Rounds rounds(double nanos, long drops) {
        return new Experiments.Rounds(
                new Percentiles(20, nanos, nanos, nanos, nanos, nanos, nanos), 9e9, 100_000, drops);
    }

    @Test
    void evaluate_anyResults_hasARowForEachProtocol() {
        Table table = findings(INCAST, name -> rounds(2e6, 0)).tables().get(0);
        assertEquals(Contender.ALL.size(), table.rows().size());
        assertEquals(
                List.of("weir", "9 Gbps", "2 ms", "2 ms", "100 KB", "0"),
                table.rows().get(0));
    }

    @Test
    void evaluate_dropsOfExpressPassAlone_areJudged() {
        Function<String, Verdict> verdictIfDropping =
                word -> findings(INCAST, name -> rounds(2e6, name.equals(word) ? 1 : 0))
                        .claims()
                        .get(0)
                        .verdict();
        assertEquals(Verdict.FAILED, verdictIfDropping.apply("weir"));
        assertEquals(Verdict.MET, verdictIfDropping.apply("newreno"));
    }

    @Test
    void evaluate_flowsThatNeverConverge_haveNoTimeAndNoBar() {
        Findings findings =
                findings(STAGGERED, name -> new Experiments.Joining(9e9, 0.5, Double.POSITIVE_INFINITY, 1e3, 1e4, 0));
        assertEquals("none", findings.tables().get(0).rows().get(0).get(3));
        assertEquals(0.0, findings.charts().get(2).series().get(0).y().get(0));
    }

    @Test
    void all_contenders_areEveryProtocolOfTheCatalogue() {
        Set<String> words = Contender.ALL.stream().map(Contender::word).collect(Collectors.toSet());
        for (ProtocolKind kind : Catalogue.KINDS) {
            assertTrue(
                    kind.presets().stream().anyMatch(preset -> words.contains(preset.preset())),
                    () -> kind.id().word() + " is missing of the comparison");
        }
    }
}
