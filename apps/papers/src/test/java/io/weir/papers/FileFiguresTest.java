package io.weir.papers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
    private static final Map<String, List<Double>> GOOD_CROWD = crowd(0.94, 0.99, 1_538, 0);
    private static final Map<String, List<Double>> PEERS_CROWD = crowd(1, 0.6, 300_000, 1);

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
                    .values().get(scale).names().stream().collect(Collectors.toMap(name -> name, name -> List.of(1.0)));
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
                    () -> kind.id().name() + " is missing of the comparison");
        }
    }

    private static Map<String, Verdict> manyFlows(Map<String, List<Double>> worst, Map<String, List<Double>> peer) {
        return verdicts("expresspass/fig15", name -> {
            if (name.startsWith("dctcp") || name.startsWith("rcp")) {
                return peer;
            }
            return name.endsWith(" 1024") ? worst : GOOD_CROWD;
        });
    }

    private static Map<String, List<Double>> crowd(double used, double jain, long queue, long drops) {
        return found("used", used, "jain", jain, "queue", queue, "drops", drops);
    }

    @Test
    void manyFlows_fullFairAndShort_isMet() {
        Map<String, Verdict> verdicts = manyFlows(crowd(0.95, 0.97, 5_000, 0), PEERS_CROWD);
        assertEquals(Verdict.MET, verdicts.get("weir-least"));
        assertEquals(Verdict.MET, verdicts.get("weir-most"));
        assertEquals(Verdict.MET, verdicts.get("weir-jain"));
        assertEquals(Verdict.MET, verdicts.get("weir-queue"));
        assertEquals(Verdict.MET, verdicts.get("drops"));
    }

    @Test
    void manyFlows_oneNumberOfFlowsIsWorse_fails() {
        Map<String, Verdict> verdicts = manyFlows(crowd(0.89, 0.96, 5_001, 1), PEERS_CROWD);
        assertEquals(Verdict.FAILED, verdicts.get("weir-least"));
        assertEquals(Verdict.MET, verdicts.get("weir-most"));
        assertEquals(Verdict.FAILED, verdicts.get("weir-jain"));
        assertEquals(Verdict.FAILED, verdicts.get("weir-queue"));
        assertEquals(Verdict.FAILED, verdicts.get("drops"));
        assertEquals(
                Verdict.FAILED, manyFlows(crowd(0.96, 1, 0, 0), PEERS_CROWD).get("authors-most"));
    }

    @Test
    void manyFlows_peersAsInThePaperOrNot_isMetOrFailed() {
        Map<String, Verdict> asInThePaper = manyFlows(GOOD_CROWD, PEERS_CROWD);
        Map<String, Verdict> otherwise = manyFlows(GOOD_CROWD, GOOD_CROWD);
        for (String claim : List.of("dctcp-utilization", "dctcp-jain", "dctcp-queue", "rcp")) {
            assertEquals(Verdict.MET, asInThePaper.get(claim), claim);
            assertEquals(Verdict.FAILED, otherwise.get(claim), claim);
        }
    }

    private static Map<String, Verdict> waste(List<Double> slow, List<Double> fast) {
        List<String> workloads = List.of("Web Server", "Cache Follower", "Web Search", "Data Mining");
        return verdicts("expresspass/fig20", name -> {
            int workload = 0;
            while (!name.contains(workloads.get(workload))) {
                workload++;
            }
            return found("wasted", (name.endsWith("40G") ? fast : slow).get(workload), "drops", 0);
        });
    }

    @Test
    void wasteUnderLoad_fallingShares_areMet() {
        List<Double> more = List.of(1.0, 1.0, 1.0, 1.0);
        assertEquals(Verdict.MET, waste(List.of(0.2, 0.1, 0.05, 0.01), more).get("order"));
        assertEquals(Verdict.FAILED, waste(List.of(0.2, 0.1, 0.1, 0.01), more).get("order"));
    }

    @Test
    void wasteUnderLoad_oneWorkloadWastesLess_fails() {
        List<Double> slow = List.of(0.2, 0.1, 0.1, 0.1);
        assertEquals(Verdict.MET, waste(slow, List.of(0.3, 0.1, 0.1, 0.1)).get("faster-1-16"));
        assertEquals(Verdict.FAILED, waste(slow, List.of(0.3, 0.09, 0.1, 0.1)).get("faster-1-16"));
    }

    @Test
    void alphaTradeOff_trends_decide() {
        Map<String, Verdict> verdicts = verdicts("expresspass/fig18", name -> {
            double fraction = name.startsWith("weir") ? 1 : MadeUp.number(name, "1/");
            return found(
                    "small", fraction, "smallMean", 1, "large", 1 / fraction, "largeMean", 1, "wasted", 0, "drops", 0);
        });
        assertEquals(Verdict.MET, verdicts.get("small-trend"));
        assertEquals(Verdict.MET, verdicts.get("large-trend"));
        assertEquals(Verdict.FAILED, verdicts.get("small"));
        assertEquals(Verdict.MET, verdicts.get("large"));
        assertEquals(Verdict.REPORTED, verdicts.get("weir"));
    }

    @Test
    void queueOccupancy_oneCellIsLonger_fails() {
        assertEquals(Verdict.MET, queues(20_000).get("weir-load"));
        assertEquals(Verdict.MET, queues(20_000).get("weir-max"));
        assertEquals(Verdict.MET, queues(20_000).get("rcp"));
        assertEquals(Verdict.FAILED, queues(40_000).get("weir-load"));
        assertEquals(Verdict.FAILED, queues(70_000).get("weir-max"));
        assertEquals(Verdict.MET, queues(70_000).get("authors-max"));
    }

    /** The longest queue of Web Search at a load of 0.6 by Weir's rule; all others are 20 KB, RCP's full. */
    private static Map<String, Verdict> queues(double bytes) {
        return verdicts(
                "expresspass/table3",
                name -> found(
                        "mean",
                        name.startsWith("dctcp") ? 10 : 1,
                        "most",
                        name.equals("weir Web Search 0.6") ? bytes : name.startsWith("rcp") ? 384_500 : 20_000,
                        "drops",
                        0));
    }

    @Test
    void testbedQueues_ratios_decide() {
        Map<String, Verdict> verdicts = verdicts(
                "dx/fig13",
                run -> found(
                        "used",
                        1,
                        "mean",
                        run.startsWith("dx") ? (run.contains("10") ? 8 : 3) : 10,
                        "p50",
                        1,
                        "p99",
                        2,
                        "most",
                        3));
        assertEquals(Verdict.MET, verdicts.get("1g"));
        assertEquals(Verdict.FAILED, verdicts.get("10g"));
    }

    @Test
    void twoBottlenecks_tenPercentOff_fails() {
        Map<String, Verdict> verdicts = verdicts("dx/fig16", run -> found("SG1", 45.1e6, "SG2", 475e6, "SG3", 55.2e6));
        assertEquals(Verdict.MET, verdicts.get("SG1"));
        assertEquals(Verdict.MET, verdicts.get("SG2"));
        assertEquals(Verdict.FAILED, verdicts.get("SG3"));
    }

    @Test
    void realisticTraffic_ratios_decide() {
        Map<String, Verdict> verdicts = verdicts(
                "dx/fig19",
                run -> found(
                        "small",
                        run.equals("dx") ? 40 : 100,
                        "low",
                        50,
                        "high",
                        50,
                        "large",
                        run.equals("dx") ? 150 : 100));
        assertEquals(Verdict.MET, verdicts.get("small"));
        assertEquals(Verdict.FAILED, verdicts.get("large"));
        assertEquals(
                Verdict.FAILED,
                verdicts(
                                "dx/fig20",
                                run -> found("small", run.equals("dx") ? 60 : 100, "low", 5, "high", 5, "large", 9))
                        .get("small"));
    }

    private static Map<String, List<Double>> benchmark(double query, double small, double large) {
        return found("query", query, "tail", 2 * query, "small", small, "large", large);
    }

    @Test
    void testbedBenchmark_orderOfThePaper_isMet() {
        Map<String, Verdict> good = verdicts(
                "tfc/fig13",
                name -> name.startsWith("tfc")
                        ? benchmark(1e5, 1e5, 1.1e6)
                        : name.startsWith("dctcp") ? benchmark(2e5, 2e5, 1e6) : benchmark(3e5, 1.5e5, 1e6));
        assertEquals(6, good.size());
        good.forEach((claim, verdict) -> assertEquals(Verdict.MET, verdict, claim));
        Map<String, Verdict> bad = verdicts(
                "tfc/fig13",
                name -> name.startsWith("tfc")
                        ? benchmark(4e5, 1.6e5, 0.9e6)
                        : name.startsWith("dctcp") ? benchmark(3.1e5, 2e5, 1e6) : benchmark(3e5, 1.5e5, 1e6));
        bad.forEach((claim, verdict) -> assertEquals(Verdict.FAILED, verdict, claim));
    }

    private static Map<String, Verdict> largeBenchmark(double tfc, double dctcp, double newReno, int drops) {
        return verdicts("tfc/fig16", name -> {
            double nanos = name.startsWith("tfc") ? tfc : name.startsWith("dctcp") ? dctcp : newReno;
            return found("query", nanos, "queryP99", nanos, "large", 1, "drops", drops);
        });
    }

    @Test
    void largeBenchmark_ratiosOfThePaper_areMet() {
        Map<String, Verdict> good = largeBenchmark(1e6, 1e7, 3e7, 0);
        Map<String, Verdict> bad = largeBenchmark(1e6, 9e6, 2.6e7, 1);
        for (String claim : List.of("dctcp", "tcp", "drops")) {
            assertEquals(Verdict.MET, good.get(claim), claim);
            assertEquals(Verdict.FAILED, bad.get(claim), claim);
        }
    }

    @Test
    void largeBenchmark_noQueryCame_fails() {
        Map<String, Verdict> none = largeBenchmark(Double.NaN, Double.NaN, Double.NaN, 0);
        assertEquals(Verdict.FAILED, none.get("dctcp"));
        assertEquals(Verdict.FAILED, none.get("tcp"));
    }

    @Test
    void thousandSenders_fullWithoutDrops_isMet() {
        Map<String, Verdict> good = verdicts("tfc/sec46", name -> found("used", 0.97, "queue", 3_000, "drops", 0));
        assertEquals(Verdict.MET, good.get("use"));
        assertEquals(Verdict.MET, good.get("drops"));
        Map<String, Verdict> bad = verdicts("tfc/sec46", name -> found("used", 0.84, "queue", 3_000, "drops", 1));
        assertEquals(Verdict.FAILED, bad.get("use"));
        assertEquals(Verdict.FAILED, bad.get("drops"));
    }
}
