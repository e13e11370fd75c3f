package io.weir.papers.ccrp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.papers.MadeUp;
import io.weir.papers.Verdict;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests {@link AggressionFactor} and {@link Readings} with runs made up. */
class AggressionFactorTest {
    private static double asInPaper(String run) {
        if (run.startsWith("expresspass next to d")) {
            return 0.9;
        }
        return run.contains("0.03") ? 0.39 : 0.5;
    }

    @Test
    void evaluate_asInThePaper_isMet() {
        MadeUp.verdicts(new AggressionFactor(), run -> Made.mix(asInPaper(run)))
                .forEach((claim, verdict) -> assertEquals(Verdict.MET, verdict, claim));
    }

    @Test
    void evaluate_toAggressive_fails() {
        Map<String, Verdict> verdicts = MadeUp.verdicts(new AggressionFactor(), run -> Made.mix(0.61));
        assertEquals(Verdict.FAILED, verdicts.get("dcqcn-0.03"));
        assertEquals(Verdict.FAILED, verdicts.get("dcqcn-0.04"));
        assertEquals(Verdict.FAILED, verdicts.get("dcqcn-ccrp-0.07"));
        assertEquals(Verdict.FAILED, verdicts.get("dcqcn-expresspass"));
    }

    @Test
    void readings_theOnePrintedNearerToHalf_fails() {
        assertEquals(
                Verdict.MET,
                MadeUp.verdicts(new Readings(), run -> Made.mix(run.startsWith("line 5 with") ? 0.7 : 0.6))
                        .get("line-5"));
        assertEquals(
                Verdict.FAILED,
                MadeUp.verdicts(new Readings(), run -> Made.mix(run.startsWith("line 5 with") ? 0.6 : 0.7))
                        .get("line-5"));
    }

    @Test
    void readings_withTheSmallestOmega_areNotHeldToHalf() {
        Map<String, Verdict> verdicts = MadeUp.verdicts(
                new Readings(),
                run -> Made.mix(run.startsWith("as in ccrp-paper") && run.contains("0.03") ? 0.1 : 0.45));
        assertEquals(Verdict.MET, verdicts.get("line-5"));
    }
}
