package io.weir.papers.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.papers.Figure;
import io.weir.papers.Findings;
import io.weir.papers.MadeUp;
import io.weir.papers.PaperRun;
import io.weir.papers.RunResults;
import io.weir.papers.Scale;
import io.weir.papers.Variant;
import io.weir.papers.Verdict;
import io.weir.papers.command.Papers;
import io.weir.transport.protocol.ProtocolKind;
import io.weir.transport.protocol.catalogue.Catalogue;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the figures that are files, with runs made up. */
class FileFiguresTest {
    static Stream<Figure> figures() {
        return Papers.FIGURES.stream().filter(FileFigure.class::isInstance);
    }

    private static Map<String, Verdict> verdicts(String figure, Function<String, Object> extractOfRun) {
        return MadeUp.verdicts(FigureFile.read(figure), extractOfRun);
    }

    /** {@return what remains of a run: names and their values in turn} */
    private static Map<String, List<Double>> found(Object... namesAndValues) {
        Map<String, List<Double>> found = new HashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            found.put((String) namesAndValues[i], List.of(((Number) namesAndValues[i + 1]).doubleValue()));
        }
        return found;
    }

    @ParameterizedTest
    @MethodSource("figures")
    void evaluate_bothScales_everyExpressionHasItsValues(Figure figure) {
        for (Scale scale : Scale.values()) {
            RunResults results = new RunResults();
            Map<String, List<Double>> ones = ((FileFigure) figure)
                    .values().names().stream().collect(Collectors.toMap(name -> name, name -> List.of(1.0)));
            // The flows of Figure 4 (a), which has a bar for each.
            ones.computeIfPresent(
                    "goodput", (name, one) -> figure.id().endsWith("fig4") ? List.of(1.0, 1.0, 1.0) : one);
            for (PaperRun<?> run : figure.runs(scale)) {
                results.put(run, ones);
            }
            assertFalse(figure.evaluate(results, scale).claims().isEmpty());
        }
    }

    @Test
    void jitter_onlyPerfectPacingIsUnfair_isMet() {
        Map<String, Verdict> verdicts = verdicts(
                "expresspass/fig6",
                name -> name.startsWith("jitter 0%")
                        ? found("short", 0.25, "long", 0.25, "drops", 0)
                        : found("short", 0.9, "long", 0.96, "drops", 0));
        assertEquals(Verdict.MET, verdicts.get("perfect"));
        assertEquals(Verdict.MET, verdicts.get("sizes"));
        assertEquals(Verdict.REPORTED, verdicts.get("weir"));
    }

    @Test
    void jitter_oneNumberOfFlowsTheOtherWayRound_fails() {
        Map<String, Verdict> verdicts = verdicts(
                "expresspass/fig6",
                name -> name.startsWith("jitter 0%") == name.endsWith(" 64")
                        ? found("short", 0.9, "long", 0.96, "drops", 0)
                        : found("short", 0.25, "long", 0.25, "drops", 0));
        assertEquals(Verdict.FAILED, verdicts.get("perfect"));
        assertEquals(Verdict.FAILED, verdicts.get("sizes"));
    }

    private static Map<String, Verdict> shares(IntToDoubleFunction shareOfFlows) {
        return verdicts("expresspass/fig11", name -> {
            int flows = MadeUp.number(name, " ");
            double most = name.startsWith("authors") ? Variant.DATA_SHARE_SPREAD : Variant.DATA_SHARE_WEIR;
            double share = most * (name.startsWith("naive") ? 0.5 : shareOfFlows.applyAsDouble(flows));
            return found("first", share, "times", share * (flows + 1), "drops", 0);
        });
    }

    @Test
    void multiBottleneckShares_maxMin_isMet() {
        Map<String, Verdict> verdicts = shares(flows -> 1.05 / (flows + 1));
        for (String claim : List.of("weir-few", "weir-many", "weir-least", "weir-falls", "naive")) {
            assertEquals(Verdict.MET, verdicts.get(claim), claim);
        }
    }

    @Test
    void multiBottleneckShares_anyOtherShare_fails() {
        Map<String, Verdict> half = shares(flows -> 0.5);
        assertEquals(Verdict.FAILED, half.get("weir-few"));
        assertEquals(Verdict.FAILED, half.get("authors-many"));
        assertEquals(Verdict.FAILED, shares(flows -> 0.5 / (flows + 1)).get("weir-least"));
        assertEquals(
                Verdict.FAILED,
                shares(flows -> flows == 32 ? 0.2 : 1.0 / (flows + 1)).get("weir-falls"));
    }

    @Test
    void naiveBottlenecks_twiceTheOthersAndASixthLost_isMet() {
        Function<Double, Map<String, Verdict>> verdicts = ratio -> verdicts("expresspass/fig4", name -> {
            Map<String, List<Double>> found =
                    found("ratio", ratio, "used", 0.833 * Variant.DATA_SHARE_WEIR, "drops", 0);
            found.put("goodput", List.of(1.0, 1.0, 1.0));
            return found;
        });
        assertEquals(Verdict.MET, verdicts.apply(2.0).get("a"));
        assertEquals(Verdict.MET, verdicts.apply(2.0).get("b"));
        assertEquals(Verdict.FAILED, verdicts.apply(1.0).get("a"));
    }

    private static Verdict waste(double timesTheInitialRate, double atLeast) {
        return verdicts(
                        "expresspass/fig8b",
                        name -> found(
                                "wasted",
                                Math.max(atLeast, timesTheInitialRate / MadeUp.number(name, "1/")),
                                "drops",
                                0))
                .get("authors");
    }

    @Test
    void creditWaste_proportionalToTheInitialRate_isMet() {
        assertEquals(Verdict.MET, waste(78, 0));
        assertEquals(Verdict.MET, waste(80, 0));
        assertEquals(Verdict.FAILED, waste(70, 0));
        assertEquals(Verdict.FAILED, waste(78, 5));
    }

    @Test
    void longFlowQueues_quarterOfTheQueue_isMet() {
        Map<String, Verdict> verdicts = verdicts(
                "dx/sec6c",
                run -> run.startsWith("dx")
                        ? found("used", 0.99, "mean", 5, "p99", 10)
                        : run.startsWith("hull")
                                ? found("used", 0.9, "mean", 4, "p99", 10)
                                : found("used", 1, "mean", 60, "p99", 70));
        assertEquals(Verdict.MET, verdicts.get("utilization"));
        assertEquals(Verdict.MET, verdicts.get("mean"));
        assertEquals(Verdict.MET, verdicts.get("hull-least"));
    }

    @Test
    void longFlowQueues_oneNumberOfFlowsBad_fails() {
        Map<String, Verdict> verdicts = verdicts(
                "dx/sec6c",
                run -> run.equals("dx 30")
                        ? found("used", 0.98, "mean", 16, "p99", 20)
                        : found("used", 0.95, "mean", 60, "p99", 70));
        assertEquals(Verdict.FAILED, verdicts.get("utilization"));
        assertEquals(Verdict.FAILED, verdicts.get("mean"));
        assertEquals(Verdict.FAILED, verdicts.get("hull-most"));
    }

    @Test
    void steadyWindow_distanceOfTheFarthest_decides() {
        Function<Double, Verdict> verdict = off -> verdicts("dx/fig8", run -> {
                    int flows = MadeUp.number(run, "dx");
                    return found("window", (160.0 + flows) / flows + (flows == 4 ? off : 0), "pipe", 160);
                })
                .get("distance");
        assertEquals(Verdict.MET, verdict.apply(2.9));
        assertEquals(Verdict.FAILED, verdict.apply(-3.1));
    }

    @Test
    void shortFlows_gainAndSlope_decide() {
        Map<String, Verdict> verdicts = verdicts(
                "dx/fig18",
                run -> run.startsWith("dx")
                        ? found("time", 400.0 + MadeUp.number(run, "dx"))
                        : found("time", 500.0 + MadeUp.number(run, " ") / 10.0));
        assertEquals(Verdict.MET, verdicts.get("dctcp"));
        assertEquals(Verdict.FAILED, verdicts.get("slope"));
    }

    @Test
    void expectedUtilization_asInThePaper_isMet() {
        Map<String, Verdict> good = verdicts("tfc/fig14", name -> {
            int percent = MadeUp.number(name, "rho0");
            return found("goodput", 880e6 + (percent - 90) * 6e6, "queue", percent > 98 ? 6_000 : 900);
        });
        good.forEach((claim, verdict) ->
                assertEquals(claim.equals("payload") ? Verdict.REPORTED : Verdict.MET, verdict, claim));
        Map<String, Verdict> bad = verdicts("tfc/fig14", name -> found("goodput", 8e8, "queue", 3_000));
        assertEquals(Verdict.FAILED, bad.get("low"));
        assertEquals(Verdict.FAILED, bad.get("monotone"));
        assertEquals(Verdict.FAILED, bad.get("queue"));
    }

    @Test
    void fastIncast_fullForAnyNumber_isMet() {
        verdicts("tfc/fig15", name -> found("used", name.startsWith("tfc") ? 0.9 : 0.1, "drops", 0))
                .forEach((claim, verdict) -> assertEquals(Verdict.MET, verdict, claim));
        verdicts("tfc/fig15", name -> found("used", 0.6, "drops", 2))
                .forEach((claim, verdict) -> assertEquals(Verdict.FAILED, verdict, claim));
    }

    private static Findings comparison(String name, Function<String, Object> extractOfRun) {
        Figure figure = FigureFile.read("comparison/" + name);
        RunResults results = new RunResults();
        for (PaperRun<?> run : figure.runs(Scale.QUICK)) {
            results.put(run, extractOfRun.apply(run.name()));
        }
        return figure.evaluate(results, Scale.QUICK);
    }

    private static Map<String, List<Double>> rounds(int drops) {
        return found("goodput", 9e9, "p50", 2e6, "p99", 2e6, "largest", 100_000, "drops", drops);
    }

    @Test
    void incast_anyResults_hasARowForEachProtocolAndJudgesExpressPassAlone() {
        assertEquals(
                List.of("weir", "9 Gbps", "2 ms", "2 ms", "100 KB", "0"),
                comparison("incast", name -> rounds(0)).tables().get(0).rows().get(0));
        Function<String, Verdict> verdictIfDropping =
                word -> comparison("incast", name -> rounds(name.equals(word) ? 1 : 0))
                        .claims()
                        .get(0)
                        .verdict();
        assertEquals(Verdict.FAILED, verdictIfDropping.apply("weir"));
        assertEquals(Verdict.MET, verdictIfDropping.apply("newreno"));
    }

    @Test
    void staggered_flowsThatNeverConverge_haveNoTimeAndNoBar() {
        Findings findings = comparison(
                "staggered",
                name -> found(
                        "goodput",
                        9e9,
                        "jain",
                        0.5,
                        "joining",
                        Double.POSITIVE_INFINITY,
                        "mean",
                        1e3,
                        "largest",
                        1e4,
                        "drops",
                        0));
        assertEquals("none", findings.tables().get(0).rows().get(0).get(3));
        assertEquals(0.0, findings.charts().get(2).series().get(0).y().get(0));
    }

    @Test
    void incast_lines_areEveryProtocolOfTheCatalogue() {
        Set<String> words = FigureFile.read("comparison/incast").runs(Scale.QUICK).stream()
                .map(PaperRun::name)
                .collect(Collectors.toSet());
        for (ProtocolKind kind : Catalogue.KINDS) {
            assertTrue(
                    kind.presets().stream().anyMatch(preset -> words.contains(preset.preset())),
                    () -> kind.id().word() + " is missing of the comparison");
        }
    }
}
