package io.weir.papers.expresspass;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.papers.MadeUp;
import io.weir.papers.Variant;
import io.weir.papers.Verdict;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests {@link NaiveBottlenecks} with runs made up. */
class NaiveBottlenecksTest {
    private static Map<String, Verdict> verdicts(double firstBps, double utilization) {
        return MadeUp.verdicts(
                new NaiveBottlenecks(),
                name -> new NaiveBottlenecks.Outcome(List.of(firstBps, 2.0, 3.0), utilization, 0));
    }

    @Test
    void evaluate_twiceTheOthersAndASixthLost_isMet() {
        Map<String, Verdict> verdicts = verdicts(5, 0.833 * Variant.DATA_SHARE_WEIR);
        assertEquals(Verdict.MET, verdicts.get("a"));
        assertEquals(Verdict.MET, verdicts.get("b"));
    }

    @Test
    void evaluate_fairAndNothingLost_fails() {
        Map<String, Verdict> verdicts = verdicts(2.5, Variant.DATA_SHARE_WEIR);
        assertEquals(Verdict.FAILED, verdicts.get("a"));
        assertEquals(Verdict.FAILED, verdicts.get("b"));
    }
}
