package io.weir.papers.ccrp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.papers.MadeUp;
import io.weir.papers.Verdict;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Tests {@link Starvation}, {@link LinkUse}, {@link Fairness}, {@link QueueLength} and {@link CrossProtocol} with runs
 * made up.
 */
class MixtureFiguresTest {
    private static boolean isExpressPass(String run) {
        return run.startsWith("expresspass");
    }

    private static int pairs(String run) {
        return MadeUp.number(run, ", ") / 2;
    }

    @Test
    void starvation_oneThatTakesTheLink_isMet() {
        assertEquals(
                Verdict.MET,
                MadeUp.verdicts(new Starvation(), run -> Made.mix(0.9)).get("dcqcn"));
        assertEquals(
                Verdict.FAILED,
                MadeUp.verdicts(new Starvation(), run -> Made.mix(0.84)).get("dcqcn"));
    }

    @Test
    void linkUse_mixturesLeaveTheCreditsPart() {
        Map<String, Verdict> asInPaper =
                MadeUp.verdicts(new LinkUse(), run -> Made.mix(0.5, 1, run.startsWith("dcqcn") ? 0.99 : 0.95, 0));
        asInPaper.forEach((claim, verdict) -> assertEquals(Verdict.MET, verdict, claim));
        Map<String, Verdict> full = MadeUp.verdicts(new LinkUse(), run -> Made.mix(0.5, 1, 0.969, 0));
        full.forEach((claim, verdict) -> assertEquals(Verdict.FAILED, verdict, claim));
    }

    @Test
    void fairness_ccrpFairAndExpressPassNot_isMet() {
        MadeUp.verdicts(new Fairness(), run -> Made.mix(isExpressPass(run) ? 0.9 : 0.55, pairs(run), 1, 0))
                .forEach((claim, verdict) -> assertEquals(Verdict.MET, verdict, claim));
    }

    @Test
    void fairness_oneNumberOfFlowsUnfair_fails() {
        Map<String, Verdict> verdicts = MadeUp.verdicts(new Fairness(), run -> {
            boolean isOdd = pairs(run) == 4;
            return Made.mix(isExpressPass(run) ? (isOdd ? 0.7 : 0.9) : isOdd ? 0.3 : 0.5, pairs(run), 1, 0);
        });
        assertEquals(Verdict.FAILED, verdicts.get("jain-ccrp-dcqcn"));
        assertEquals(Verdict.FAILED, verdicts.get("jain-expresspass-dcqcn"));
        assertEquals(Verdict.FAILED, verdicts.get("ratio-ccrp-dcqcn"));
        assertEquals(Verdict.FAILED, verdicts.get("ratio-expresspass-dcqcn"));
    }

    @Test
    void queueLength_shortAndShorterThanExpressPass_isMet() {
        MadeUp.verdicts(new QueueLength(), run -> Made.mix(0.5, pairs(run), 1, isExpressPass(run) ? 200_000 : 169_000))
                .forEach((claim, verdict) -> assertEquals(Verdict.MET, verdict, claim));
        MadeUp.verdicts(new QueueLength(), run -> Made.mix(0.5, pairs(run), 1, isExpressPass(run) ? 171_000 : 172_000))
                .forEach((claim, verdict) -> assertEquals(Verdict.FAILED, verdict, claim));
    }

    @Test
    void crossProtocol_expressPassAggressiveAndCcrpNot_isMet() {
        Map<String, Verdict> verdicts =
                MadeUp.verdicts(new CrossProtocol(), run -> Made.mix(isExpressPass(run) ? 0.81 : 0.5));
        assertEquals(Verdict.MET, verdicts.get("expresspass-cubic"));
        assertEquals(Verdict.MET, verdicts.get("ccrp-dcqcn"));
        assertEquals(Verdict.REPORTED, verdicts.get("ccrp-timely"));
        verdicts = MadeUp.verdicts(new CrossProtocol(), run -> Made.mix(0.7));
        assertEquals(Verdict.FAILED, verdicts.get("expresspass-timely"));
        assertEquals(Verdict.FAILED, verdicts.get("ccrp-dcqcn-ccrp"));
    }
}
