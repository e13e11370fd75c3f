package io.weir.papers.expresspass;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.papers.MadeUp;
import io.weir.papers.Verdict;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests {@link Jitter} with runs made up. */
class JitterTest {
    @Test
    void evaluate_onlyPerfectPacingIsUnfair_isMet() {
        Map<String, Verdict> verdicts = MadeUp.verdicts(
                new Jitter(),
                name -> name.startsWith("jitter 0%")
                        ? new Jitter.Fairness(0.25, 0.25, 0)
                        : new Jitter.Fairness(0.9, 0.96, 0));
        assertEquals(Verdict.MET, verdicts.get("perfect"));
        assertEquals(Verdict.MET, verdicts.get("sizes"));
        assertEquals(Verdict.REPORTED, verdicts.get("weir"));
    }

    @Test
    void evaluate_oneNumberOfFlowsTheOtherWayRound_fails() {
        Map<String, Verdict> verdicts = MadeUp.verdicts(
                new Jitter(),
                name -> name.startsWith("jitter 0%") == name.endsWith(" 64")
                        ? new Jitter.Fairness(0.9, 0.96, 0)
                        : new Jitter.Fairness(0.25, 0.25, 0));
        assertEquals(Verdict.FAILED, verdicts.get("perfect"));
        assertEquals(Verdict.FAILED, verdicts.get("sizes"));
    }
}
