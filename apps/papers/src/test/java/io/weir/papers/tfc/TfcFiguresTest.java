package io.weir.papers.tfc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.papers.MadeUp;
import io.weir.papers.Verdict;
import io.weir.transport.scenario.result.ExchangeResult;
import io.weir.transport.scenario.result.Percentiles;
import io.weir.transport.scenario.result.PortResult;
import io.weir.transport.scenario.result.Series;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Tests the figures of TFC with runs made up. */
class TfcFiguresTest {
    private static final int STEP = 40;

    private static PortResult port(double mean, long max) {
        return new PortResult("switch", "h3", max, mean, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0.97, 0, max, null);
    }

    @Test
    void probeOverhead_always_isThePapers() {
        Map<String, Verdict> verdicts = MadeUp.verdicts(new ProbeOverhead(), name -> null);
        assertEquals(Map.of("overhead", Verdict.MET), verdicts);
    }

    private static Map<String, Verdict> baseRtt(long low, long high) {
        return baseRtt(name -> List.of(low, high, low, high));
    }

    private static Map<String, Verdict> baseRtt(Function<String, List<Long>> minimaOfPhase) {
        return MadeUp.verdicts(
                new BaseRtt(),
                name -> name.startsWith("port")
                        ? minimaOfPhase.apply(name)
                        : new ExchangeResult(
                                "packet", "h3", 1, 9, new Percentiles(9, 65_000, 65_000, 0, 0, 0, 0), 0.0));
    }

    @Test
    void baseRtt_steadyAndBelow_isMet() {
        assertEquals(Map.of("below", Verdict.MET, "constant", Verdict.MET), baseRtt(58_900, 59_100));
        assertEquals(Verdict.FAILED, baseRtt(55_000, 63_000).get("constant"));
        assertEquals(Verdict.FAILED, baseRtt(66_000, 66_000).get("below"));
    }

    @Test
    void baseRtt_steadyInOnePhaseAlone_fails() {
        Map<String, Verdict> verdicts =
                baseRtt(name -> name.endsWith("phase 0") ? List.of(59_000L, 59_000L) : List.of(55_000L, 63_000L));
        assertEquals(Verdict.FAILED, verdicts.get("constant"));
    }

    private static List<Long> effectiveFlows(double ratio, long after) {
        List<Long> samples = new ArrayList<>();
        for (int step = 0; step <= 20; step++) {
            long flows = Math.round((step <= 10 ? step : 20 - step) / ratio + 5);
            samples.addAll(Collections.nCopies(STEP, step == 20 ? after : flows));
        }
        return samples;
    }

    @Test
    void effectiveFlows_asByEquation1_isMet() {
        assertEquals(
                Map.of("accuracy", Verdict.MET, "inactive", Verdict.MET),
                MadeUp.verdicts(new EffectiveFlows(), name -> effectiveFlows(1.5, 5)));
        assertEquals(
                Map.of("accuracy", Verdict.FAILED, "inactive", Verdict.FAILED),
                MadeUp.verdicts(new EffectiveFlows(), name -> effectiveFlows(1, 8)));
    }

    private static Joining joining(double firstBps, double otherBps, double mean, long max) {
        List<Series.FlowSeries> flows = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            flows.add(new Series.FlowSeries("f" + i, Collections.nCopies(20, i == 0 ? firstBps : otherBps)));
        }
        return new Joining(20, flows, Collections.nCopies(20, max), port(mean, max), 0);
    }

    private static Joining joining(String name, boolean isAsInThePaper) {
        if (name.startsWith("tfc")) {
            return isAsInThePaper ? joining(4e8, 4e8, 500, 9_000) : joining(9e8, 1e8, 4_000, 13_000);
        }
        return name.startsWith("dctcp") == isAsInThePaper
                ? joining(4e8, 3e8, 30_000, 50_000)
                : joining(9e8, 1e8, 200_000, 256_000);
    }

    @Test
    void joiningQueues_asInThePaper_isMet() {
        MadeUp.verdicts(new JoiningQueues(), name -> joining(name, true))
                .forEach((claim, verdict) -> assertEquals(Verdict.MET, verdict, claim));
        Map<String, Verdict> bad = MadeUp.verdicts(new JoiningQueues(), name -> joining(name, false));
        for (String claim : List.of("tfc-max", "tfc-mean", "dctcp-mean", "tcp-max")) {
            assertEquals(Verdict.FAILED, bad.get(claim), claim);
        }
    }

    @Test
    void joiningGoodput_equalShares_areMet() {
        Map<String, Verdict> good = MadeUp.verdicts(new JoiningGoodput(), name -> joining(name, true));
        assertEquals(Verdict.MET, good.get("tfc-jain"));
        assertEquals(Verdict.MET, good.get("tcp-jain"));
        assertEquals(Verdict.MET, good.get("tfc-total"));
        Map<String, Verdict> bad = MadeUp.verdicts(new JoiningGoodput(), name -> joining(name, false));
        assertEquals(Verdict.FAILED, bad.get("tfc-jain"));
        assertEquals(Verdict.FAILED, bad.get("dctcp-jain"));
    }

    private static JoiningConvergence.Course course(int rounds) {
        List<Double> third = new ArrayList<>(Collections.nCopies(5_001 + rounds, 0.0));
        third.addAll(Collections.nCopies(1_000 - rounds, 3e8));
        return new JoiningConvergence.Course(Collections.nCopies(third.size(), 9e8), third);
    }

    @Test
    void joiningConvergence_tfcAtOnceOthersSlowly_isMet() {
        Map<String, Verdict> good = MadeUp.verdicts(
                new JoiningConvergence(),
                name -> course(name.startsWith("tfc") ? 1 : name.startsWith("dctcp") ? 60 : 400));
        good.forEach((claim, verdict) -> assertEquals(Verdict.MET, verdict, claim));
        Map<String, Verdict> bad =
                MadeUp.verdicts(new JoiningConvergence(), name -> course(name.startsWith("tfc") ? 5 : 30));
        bad.forEach((claim, verdict) -> assertEquals(Verdict.FAILED, verdict, claim));
    }

    @Test
    void joiningConvergence_oneSeedOfFive_doesNotDecide() {
        Map<String, Verdict> verdicts = MadeUp.verdicts(
                new JoiningConvergence(),
                name -> course(
                        name.startsWith("tfc") ? 1 : name.startsWith("dctcp") ? 60 : name.endsWith("3") ? 5 : 400));
        assertEquals(Verdict.MET, verdicts.get("tcp"));
    }

    @Test
    void workConserving_bothFull_isMet() {
        Map<String, Verdict> good = MadeUp.verdicts(
                new WorkConserving(),
                name -> new WorkConserving.Course(
                        9e8, name.startsWith("tfc") ? 9e8 : 6e8, port(1_000, 0), port(2_000, 0), 0));
        good.forEach((claim, verdict) -> assertEquals(Verdict.MET, verdict, claim));
        Map<String, Verdict> bad = MadeUp.verdicts(
                new WorkConserving(), name -> new WorkConserving.Course(8e8, 8.5e8, port(1_000, 0), port(5_000, 0), 1));
        bad.forEach((claim, verdict) -> assertEquals(Verdict.FAILED, verdict, claim));
    }

    private static IncastRounds rounds(double goodputBps, long drops) {
        return new IncastRounds(goodputBps, 3, 1_000, 9_000, drops);
    }

    @Test
    void fanInBursts_collapsesWhereThePaperHasThem_isMet() {
        Map<String, Verdict> good = MadeUp.verdicts(new FanInBursts(), name -> {
            int senders = MadeUp.number(name, " ");
            int limit = name.startsWith("dctcp") ? 50 : name.startsWith("newreno") ? 10 : 1_000;
            return rounds(senders > limit ? 1e8 : 8.5e8, 0);
        });
        good.forEach((claim, verdict) -> assertEquals(Verdict.MET, verdict, claim));
        Map<String, Verdict> bad = MadeUp.verdicts(new FanInBursts(), name -> rounds(7e8, 1));
        for (String claim : List.of("tfc-least", "drops", "dctcp", "tcp")) {
            assertEquals(Verdict.FAILED, bad.get(claim), claim);
        }
    }
}
