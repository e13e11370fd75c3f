package io.weir.papers.expresspass;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.papers.MadeUp;
import io.weir.papers.Variant;
import io.weir.papers.Verdict;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests {@link CreditQueueUtilization} with runs made up. */
class CreditQueueUtilizationTest {
    /** Judges runs of which a queue of one loses a tenth, and longer ones {@code lost}, of what Weir's meter gives. */
    private static Map<String, Verdict> verdicts(double lost) {
        return MadeUp.verdicts(new CreditQueueUtilization(), name -> {
            double missing = MadeUp.number(name, "queue ") == 1 ? 0.1 : lost;
            double most = name.startsWith("weir") ? 0.99 * Variant.DATA_SHARE_PAPER : Variant.DATA_SHARE_PAPER;
            return new CreditQueueUtilization.Filled((1 - missing) * most, 0);
        });
    }

    @Test
    void evaluate_eightLoseNothing_isMet() {
        assertEquals(Verdict.MET, verdicts(0.01).get("weir-8"));
        assertEquals(Verdict.MET, verdicts(0.01).get("weir-1"));
        assertEquals(Verdict.MET, verdicts(0.01).get("authors-8"));
    }

    @Test
    void evaluate_eightLoseMore_fails() {
        assertEquals(Verdict.FAILED, verdicts(0.03).get("weir-8"));
        assertEquals(Verdict.MET, verdicts(0.03).get("weir-1"));
        assertEquals(Verdict.FAILED, verdicts(0.06).get("weir-1"));
    }
}
